import { checkUnique } from './check-unique.js'
import type { SourcedDefinition } from './define-all.js'
import { defineAll } from './define-all.js'
import { checkIndexCount, shareIndexes } from './index-list.js'
import { checkContainment, linkComponents } from './link-components.js'
import { linkRelations } from './link-relations.js'
import type { Registry } from './registry.js'
import { createRegistry } from './registry.js'
import type { SchemaProblem } from './schema-error.js'
import { SchemaError } from './schema-error.js'

/**
 * All types of the service from their definitions, with the built-in ones. Every definition is
 * checked by itself and all of them together.
 * @param version of `_schemas`
 * @throws one SchemaError that lists whatever is wrong
 */
export function createRegistryFrom(
  definitions: readonly SourcedDefinition[],
  version: number,
): Registry {
  const problems: SchemaProblem[] = []
  const defined = defineAll(definitions, (source) => (path, message) => {
    problems.push({ source, path, message })
  })
  const contentTypes = valuesOf(defined.contentTypes)
  const components = valuesOf(defined.components)

  for (const { value, report } of defined.contentTypes.values()) {
    linkRelations(value, contentTypes, report)
    linkComponents(value, components, report)
    checkIndexCount(shareIndexes(value), report)
  }
  for (const { value, report } of defined.components.values()) {
    linkRelations(value, contentTypes, report)
    linkComponents(value, components, report)
    checkContainment(value, components, report)
  }
  checkUnique([...defined.contentTypes.values()])

  if (problems.length > 0) throw new SchemaError(problems)
  const types = [...contentTypes.values()].map(shareIndexes)
  return createRegistry(types, components.values(), version)
}

function valuesOf<T>(defined: ReadonlyMap<string, Readonly<{ value: T }>>): ReadonlyMap<string, T> {
  return new Map([...defined].map(([uid, { value }]) => [uid, value]))
}
