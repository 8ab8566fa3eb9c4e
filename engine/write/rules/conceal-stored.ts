import type { Attribute } from '../../schema/attribute.js'
import { isReadable, isScalar } from '../../schema/attribute.js'
import type { Structure } from '../../schema/content-type.js'
import type { Registry } from '../../schema/registry.js'
import type { Failure } from './failure.js'
import { structuresOf } from '../../schema/attributes-in.js'
import { holdsPassword } from './passwords.js'
import type { Body } from '../body/read-body.js'
import { isObject } from '../../values/is-object.js'

/**
 * Failures without passwords, and without what is stored and nobody may read. A write that publishes checks all that
 * the entry holds, so what is wrong may have been written by somebody else: private values, hashes of passwords and
 * stored references are not told to whoever publishes. What `isSent` says of a path came with this request, and is
 * shown as it was sent, but for passwords.
 */
export function concealStored(
  failures: readonly Failure[],
  { type, registry }: Readonly<{ type: Structure; registry: Registry }>,
  isSent: (path: Failure['path']) => boolean,
): readonly Failure[] {
  return failures.map((failure) => {
    const sent = isSent(failure.path)
    const { hidden, isValue, structures } = follow(type, failure.path, registry, sent)
    if (hidden || (sent && holdsPassword([failure.value, failure.message], structures, registry)))
      return { path: failure.path, message: withoutValue(failure.message), value: undefined }
    if (sent || isValue) return failure
    return { ...failure, value: clean(failure.value, structures, registry) }
  })
}

/** A scalar that a body names came with it; of a component, parts may have been there before. */
export const isSentScalar =
  (type: Structure, body: Body) =>
  ([name = '', ...more]: Failure['path']): boolean => {
    const attribute = type.attributes.get(name)
    return more.length === 0 && attribute !== undefined && isScalar(attribute) && isIn(body, name)
  }

/** Of what was not published yet, all is sent that the body names. */
export const isSentWhole =
  (body: Body) =>
  ([name]: Failure['path']): boolean =>
    name === undefined || isIn(body, name)

const isIn = (body: Body, name: string): boolean => Object.hasOwn(body, name)

/** yup's messages of wrong types end with the value. */
const withoutValue = (message: string): string =>
  message.replace(/, but the final value was: .*$/s, '.')

/** What a path leads to. */
type Reached = Readonly<{
  hidden: boolean
  /** Whether it is a scalar, or nothing that the type knows. */
  isValue: boolean
  /** What the components there are made of. */
  structures: readonly Structure[]
}>

/** In a dynamic zone, through any of its components. */
function follow(
  type: Structure,
  path: Failure['path'],
  registry: Registry,
  sent: boolean,
): Reached {
  let structures: readonly Structure[] = [type]
  let isValue = true
  for (const name of path) {
    if (/^\d+$/.test(name)) continue
    const attributes = structures.flatMap(({ attributes }) => attributes.get(name) ?? [])
    const isHidden = (attribute: Attribute): boolean =>
      sent ? attribute.type === 'password' : !isReadable(attribute)
    if (attributes.some(isHidden)) return { hidden: true, isValue, structures: [] }
    isValue = attributes.every(isScalar)
    structures = attributes.flatMap((attribute) => structuresOf(attribute, registry))
  }
  return { hidden: false, isValue, structures }
}

/** A component's readable scalars, and those of the components in it. */
function clean(value: unknown, structures: readonly Structure[], registry: Registry): unknown {
  if (Array.isArray(value)) return value.map((item) => clean(item, structures, registry))
  if (!isObject(value)) return value
  const uid = value['__component']
  const structure = structures.find((one) => uid === undefined || one.uid === uid)
  const kept = Object.entries(value).flatMap(([name, inner]): [string, unknown][] => {
    if (name === '__component') return [[name, inner]]
    const attribute = structure?.attributes.get(name)
    if (attribute === undefined || !isReadable(attribute)) return []
    if (isScalar(attribute)) return [[name, inner]]
    const behind = structuresOf(attribute, registry)
    return behind.length === 0 ? [] : [[name, clean(inner, behind, registry)]]
  })
  return Object.fromEntries(kept)
}
