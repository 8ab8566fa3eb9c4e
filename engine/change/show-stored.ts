import type { Attribute } from '../schema/attribute.js'
import { isScalar } from '../schema/attribute.js'
import type { Structure } from '../schema/content-type.js'
import type { Registry } from '../schema/registry.js'
import { componentIn } from './place-numbers.js'
import type { Failure } from './failure.js'
import type { Body } from './read-body.js'
import { isObject } from './read-body.js'

/**
 * Failures of what is stored, as an error may tell them: whoever publishes may not have written it, and
 * no answer shows what is private or a password.
 * @param view the values that were checked (`viewStructure`)
 */
export function showStored(
  failures: readonly Failure[],
  view: Body,
  type: Structure,
  registry: Registry,
): readonly Failure[] {
  if (failures.length === 0) return failures
  const shown = shownMembers(view, type, registry)
  return failures.map((failure) => ({ ...failure, value: valueAt(shown, failure.path) }))
}

function shownMembers(view: Body, structure: Structure, registry: Registry): Body {
  return Object.fromEntries(
    [...structure.attributes.values()]
      .filter((attribute) => isShown(attribute, view[attribute.name]))
      .map((attribute) => [attribute.name, shownValue(view[attribute.name], attribute, registry)]),
  )
}

/** What a relation refers to is for those to see who may read it. */
function isShown({ type, private: isPrivate }: Attribute, value: unknown): boolean {
  if (isPrivate || type === 'password') return false
  const isEmpty = value === null || (Array.isArray(value) && value.length === 0)
  return isEmpty || (type !== 'relation' && type !== 'media')
}

function shownValue(value: unknown, attribute: Attribute, registry: Registry): unknown {
  if (isScalar(attribute)) return value
  if (Array.isArray(value))
    return value.map((item: unknown) => shownValue(item, attribute, registry))
  const component = isObject(value) ? componentIn(value, attribute, registry) : undefined
  if (!isObject(value) || component === undefined) return value
  return { ...pickName(value), ...shownMembers(value, component, registry) }
}

const pickName = ({ __component }: Body): Body => (__component === undefined ? {} : { __component })

function valueAt(view: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, key)
        ? (value as Body)[key]
        : undefined,
    view,
  )
}
