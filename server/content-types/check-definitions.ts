import { isDeepStrictEqual } from 'node:util'
import type { SourcedDefinition } from '../../engine/schema/define/define-all.js'
import { createRegistryFrom } from '../../engine/schema/define/define-registry.js'
import { definedTypes, type Registry } from '../../engine/schema/registry.js'
import { lineOf, type SchemaProblem } from '../../engine/schema/schema-error.js'
import { misspeltMembers } from './misspelt-members.js'
import { builtInDefinitions } from '../../engine/schema/define/built-in.js'
import { member } from '../../engine/schema/define/read-options.js'
import { isObject } from '../../engine/values/is-object.js'
import { isScalar } from '../../engine/schema/attribute.js'

/**
 * Checks definitions, without a database. Throws a single SchemaError with all problems. Warns about definitions that
 * Quire does not follow exactly.
 *
 * @param hidden the setting `api.responses.privateAttributes`
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

/** Returns a warning if there are no content-types. */
export function withoutTypes(registry: Registry, schemaDir: string | undefined): readonly string[] {
  if (definedTypes(registry).length > 0) return []
  return [
    schemaDir === undefined
      ? 'There are no content-types: SCHEMA_DIR is not set, and there is no folder schema'
      : `There are no content-types in ${schemaDir}. Put them into content-types/*.json or api/*/content-types/*/schema.json`,
  ]
}

/**
 * Warns of options that an extension sets on built-in attributes: the service needs these unchanged. Options that only
 * hide an attribute are applied (`extendBuiltIn`).
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

/** Options that are not reported: `extendBuiltIn` compares the type, and the others have no effect here. */
const passedOver = new Set(['type', 'configurable', 'pluginOptions'])

function isHeld(key: string, given: unknown, needed: unknown): boolean {
  if (passedOver.has(key)) return true
  if (key === 'private' && given === true) return true
  if (key === 'searchable') return given === false || needed !== false
  // An absent option is false.
  return isDeepStrictEqual(given ?? false, needed ?? false)
}

/** Warns of patterns that may match slowly (by backtracking). A separate thread matches them, with a time limit. */
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
  'so matching can be slow. It runs in a separate thread, and a value that takes longer than a second is refused'
