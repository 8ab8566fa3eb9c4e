import type { Attribute } from '../schema/attribute.js'
import { isReadable, isScalar } from '../schema/attribute.js'
import type { Structure } from '../schema/content-type.js'
import type { Registry } from '../schema/registry.js'
import { componentOf } from '../schema/registry.js'
import type { Failure } from './failure.js'
import type { Body } from './read-body.js'
import { isObject } from './read-body.js'

/**
 * Failures without what is stored and nobody may read. A write that publishes checks all that the entry holds, so
 * what is wrong may have been written by somebody else: private values, hashes of passwords and stored references
 * are not told to whoever publishes. What `isSent` says of a path came with this request, and is shown as it was sent.
 */
export function concealStored(
  failures: readonly Failure[],
  { type, registry }: Readonly<{ type: Structure; registry: Registry }>,
  isSent: (path: Failure['path']) => boolean,
): readonly Failure[] {
  return failures.map((failure) => {
    if (isSent(failure.path)) return failure
    const { hidden, behind } = follow(type, failure.path, registry)
    if (hidden) return { ...failure, message: withoutValue(failure.message), value: undefined }
    return { ...failure, value: behind === undefined ? failure.value : behind(failure.value) }
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

type Place = Readonly<{
  hidden: boolean
  /** Cleans the value of a component or a list of them. */
  behind?: (value: unknown) => unknown
}>

/** What a path leads to; in a dynamic zone, through any of its components. */
function follow(type: Structure, path: Failure['path'], registry: Registry): Place {
  let structures: readonly Structure[] = [type]
  let attributes: readonly Attribute[] = []
  for (const name of path) {
    if (/^\d+$/.test(name)) continue
    attributes = structures.flatMap(({ attributes }) => attributes.get(name) ?? [])
    if (attributes.some((attribute) => !isReadable(attribute))) return { hidden: true }
    structures = attributes.flatMap((attribute) => structuresOf(attribute, registry))
  }
  if (attributes.length === 0 || attributes.every(isScalar)) return { hidden: false }
  return { hidden: false, behind: (value) => clean(value, structures, registry) }
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

function structuresOf(attribute: Attribute, registry: Registry): readonly Structure[] {
  if (attribute.type === 'component') return [componentOf(registry, attribute.component)]
  if (attribute.type !== 'dynamiczone') return []
  return attribute.components.map((uid) => componentOf(registry, uid))
}
