import { isDeepStrictEqual } from 'node:util'
import { builtInDefinitions } from '../../engine/schema/built-in.js'
import type { SourcedDefinition } from '../../engine/schema/define-all.js'
import { member } from '../../engine/schema/read-options.js'
import { isObject } from '../../engine/values/is-object.js'

/**
 * Options that an extension of a built-in type gives its own attributes, and that the service does not hold because
 * it needs them as they are: a sentence each. What only hides is held (`extendBuiltIn`).
 */
export function ignoredOptions(definitions: readonly SourcedDefinition[]): readonly string[] {
  return definitions.flatMap(({ uid, source, definition }) => {
    const own = builtInDefinitions.get(uid)?.['attributes']
    const { attributes } = definition
    if (!isObject(own) || !isObject(attributes)) return []
    return Object.entries(attributes).flatMap(([name, given]) => {
      const needed = member(own, name)
      if (!isObject(needed) || !isObject(given)) return []
      return Object.keys(given)
        .filter((key) => !isHeld(key, given[key], needed[key]))
        .map(
          (key) =>
            `${source}: attributes.${name}.${key} is not held: the service needs this attribute of its own as it is`,
        )
    })
  })
}

/** Of no effect here, or of the type, which has been compared. */
const passedOver = new Set(['type', 'configurable', 'pluginOptions'])

function isHeld(key: string, given: unknown, needed: unknown): boolean {
  if (passedOver.has(key)) return true
  if (key === 'private' && given === true) return true
  if (key === 'searchable') return given === false || needed !== false
  // What is not said is false, or there is none.
  return isDeepStrictEqual(given ?? false, needed ?? false)
}
