import { isDeepStrictEqual } from 'node:util'
import type { SourcedDefinition } from '../../engine/schema/define-all.js'
import { createRegistryFrom } from '../../engine/schema/define-registry.js'
import { definedTypes, type Registry } from '../../engine/schema/registry.js'
import { lineOf, type SchemaProblem } from '../../engine/schema/schema-error.js'
import { misspeltMembers } from './misspelt-members.js'
import { builtInDefinitions } from '../../engine/schema/built-in.js'
import { member } from '../../engine/schema/read-options.js'
import { isObject } from '../../engine/values/is-object.js'
import { isScalar } from '../../engine/schema/attribute.js'

/**
 * Checks definitions by themselves and together, without a database: at a start, and before one. `hidden` is
 * the setting `api.responses.privateAttributes`.
 * @returns the types that they make, and sentences about what is read otherwise than it is written
 * @throws one SchemaError that lists whatever is wrong
 */
export function checkDefinitions(
  definitions: readonly SourcedDefinition[],
  version: number,
  hidden: readonly string[] = [],
) {
  const found: SchemaProblem[] = []
  const warn = (warning: SchemaProblem) => void found.push(warning)
  const registry = createRegistryFrom(definitions, version, warn, hidden)
  const warnings = [
    ...found.map(lineOf),
    ...misspeltMembers(definitions),
    ...ignoredOptions(definitions),
    ...backtrackingPatterns(definitions, registry),
  ]
  return { registry, warnings }
}

/** What to say where there are no content-types, as a list that is empty where there are some. */
export function withoutTypes(registry: Registry, schemaDir: string | undefined): readonly string[] {
  if (definedTypes(registry).length > 0) return []
  return [
    schemaDir === undefined
      ? 'There are no content-types: SCHEMA_DIR is not set, and there is no folder schema'
      : `There are no content-types in ${schemaDir}: they are looked for in content-types/*.json and api/*/content-types/*/schema.json`,
  ]
}

/**
 * Options that an extension of a built-in type gives its own attributes, and that the service does not hold because
 * it needs them as they are: a sentence each. What only hides is held (`extendBuiltIn`).
 */
function ignoredOptions(definitions: readonly SourcedDefinition[]): readonly string[] {
  return definitions.flatMap(({ uid, source, definition }) => {
    const own = builtInDefinitions.get(uid)?.attributes
    const { attributes } = definition
    if (!isObject(own) || !isObject(attributes)) return []
    return Object.entries(attributes).flatMap(([name, given]) => {
      const needed = member(own, name)
      if (!isObject(needed) || !isObject(given)) return []
      return Object.keys(given)
        .filter((key) => !isHeld(key, given[key], needed[key]))
        .map(
          (key) =>
            `${source}: attributes.${name}.${key} is ignored, because the service needs this attribute unchanged`,
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

/**
 * Patterns that cannot be told in time linear in the text, a sentence each. They are no mistake: a thread of its own
 * is there for them, with a time limit.
 */
function backtrackingPatterns(
  definitions: readonly SourcedDefinition[],
  { contentTypes, components }: Registry,
): readonly string[] {
  return definitions.flatMap(({ uid, source }) =>
    [...((contentTypes.get(uid) ?? components.get(uid))?.attributes.values() ?? [])].flatMap(
      (attribute) => {
        const obstacle = isScalar(attribute) ? attribute.pattern?.obstacle : undefined
        const path = `attributes.${attribute.name}.regex`
        return obstacle === undefined ? [] : [`${source}: ${path} ${obstacle}, ${consequence}`]
      },
    ),
  )
}

const consequence =
  'so matching may be slow: it runs in a thread of its own, and a value that takes longer than a second is refused'
