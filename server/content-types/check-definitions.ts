import type { SourcedDefinition } from '../../engine/schema/define-all.js'
import { createRegistryFrom } from '../../engine/schema/define-registry.js'
import type { Registry } from '../../engine/schema/registry.js'
import { lineOf, type SchemaProblem } from '../../engine/schema/schema-error.js'
import { backtrackingPatterns } from './backtracking-patterns.js'
import { ignoredOptions } from './ignored-options.js'
import { misspeltMembers } from './misspelt-members.js'

/** The types that definitions make, and sentences about what is read otherwise than it is written. */
export type CheckedDefinitions = Readonly<{ registry: Registry; warnings: readonly string[] }>

/**
 * Checks definitions by themselves and together, without a database: at a start, and before one. `hidden` is
 * the setting `api.responses.privateAttributes`.
 * @throws one SchemaError that lists whatever is wrong
 */
export function checkDefinitions(
  definitions: readonly SourcedDefinition[],
  version: number,
  hidden: readonly string[] = [],
): CheckedDefinitions {
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
