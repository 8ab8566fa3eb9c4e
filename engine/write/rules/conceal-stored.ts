import type { Attribute } from '../../schema/attribute.js'
import { isReadable, isScalar } from '../../schema/attribute.js'
import type { Structure } from '../../schema/content-type.js'
import type { Registry } from '../../schema/registry.js'
import type { Failure } from '../body/failure.js'
import { structuresOf } from '../../schema/attributes-in.js'
import { holdsPassword } from '../body/passwords.js'
import type { Body } from '../body/read-body.js'
import { isObject } from '../../values/is-object.js'

/**
 * Removes secrets from the values and messages of failures. A publish validates the whole entry, including values of
 * other users, so stored references and stored values that nobody may read are removed. Values from this request are
 * kept, except for passwords.
 * @param isSent whether the value at a path came with this request
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

/**
 * Creates a test whether a path leads to a scalar attribute that the body contains. Paths into components fail the
 * test, because components can contain stored values.
 */
export const isSentScalar =
  (type: Structure, body: Body) =>
  ([name = '', ...more]: Failure['path']): boolean => {
    const attribute = type.attributes.get(name)
    return more.length === 0 && attribute !== undefined && isScalar(attribute) && isIn(body, name)
  }

/**
 * Creates a test whether the attribute at the beginning of a path is in the body. For the first phase of validation.
 */
export const isSentWhole =
  (body: Body) =>
  ([name]: Failure['path']): boolean =>
    name === undefined || isIn(body, name)

const isIn = (body: Body, name: string): boolean => Object.hasOwn(body, name)

/** yup's messages about a wrong type end with the value. */
const withoutValue = (message: string): string =>
  message.replace(/, but the final value was: .*$/s, '.')

type Reached = Readonly<{
  hidden: boolean
  /** Whether the path leads to a scalar attribute, or to no defined attribute. */
  isValue: boolean
  structures: readonly Structure[]
}>

/** Follows a path through the definitions, in a dynamic zone into every component that the zone allows. */
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

/** Removes everything except readable scalar attributes from a component and those inside it. */
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
