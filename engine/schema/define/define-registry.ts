import { apiNameOf, type ContentType, type Structure } from '../content-type.js'
import { defineAll, type Defined, type DefinedTypes, type SourcedDefinition } from './define-all.js'
import { checkIndexCount, shareIndexes, withLists } from '../index-list.js'
import { checkContainment, linkComponents } from './link-components.js'
import { linkRelations } from './link-relations.js'
import { createRegistry, type Registry } from '../registry.js'
import { createReport, SchemaError, silentReport, type SchemaProblem } from '../schema-error.js'
import type { Types } from '../stored-places.js'

/**
 * Creates all types from their definitions, including the built-in types, and checks whether they fit together.
 * @param version version of the definitions in `_schemas`
 * @param warn called for each definition that Strapi accepts but Quire treats differently
 * @param hidden names of attributes that are private in all content-types and components
 * @throws SchemaError that lists all problems
 */
export function createRegistryFrom(
  definitions: readonly SourcedDefinition[],
  version: number,
  warn: (warning: SchemaProblem) => void = () => undefined,
  hidden: readonly string[] = [],
): Registry {
  const problems: SchemaProblem[] = []
  const reportTo = (source: string) =>
    createReport(
      (path, message) => void problems.push({ source, path, message }),
      (path, message) => warn({ source, path, message }),
    )
  const registry = linkAll(defineAll(definitions, reportTo, hidden), version)
  if (problems.length > 0) throw new SchemaError(problems)
  return registry
}

/** Creates types from stored definitions, which were checked when they were stored. So problems are ignored. */
export const linkTypes = (definitions: readonly SourcedDefinition[]): Types =>
  linkAll(
    defineAll(definitions, () => silentReport, []),
    0,
  )

/** Connects types with the types and components they refer to, and checks whether they fit together. */
function linkAll(defined: DefinedTypes, version: number): Registry {
  const given = valuesOf(defined.contentTypes)
  const known = valuesOf(defined.components)
  const link = <T extends Structure>({ value, report }: Defined<T>): T => {
    const attributes = linkRelations(value, given, report)
    return Object.freeze({
      ...value,
      attributes: linkComponents({ ...value, attributes }, known, report),
    })
  }

  const contentTypes = [...defined.contentTypes.values()].map((type) => {
    const linked = shareIndexes(withLists(link(type), { components: known }))
    checkIndexCount(linked, type.report)
    return linked
  })
  const components = [...defined.components.values()].map((component) => {
    checkContainment(component.value, known, component.report)
    return link(component)
  })
  checkUnique([...defined.contentTypes.values()])
  return createRegistry(contentTypes, components, version)
}

function valuesOf<T>(defined: ReadonlyMap<string, Readonly<{ value: T }>>): ReadonlyMap<string, T> {
  return new Map([...defined].map(([uid, { value }]) => [uid, value]))
}

/**
 * Reports types that have the same collection as an earlier type (an error), or the same endpoint (a warning, because
 * only the first type gets it).
 */
function checkUnique(types: readonly Defined<ContentType>[]): void {
  const byApiName = new Map<string, string>()
  const byCollection = new Map<string, string>()
  for (const { value: type, report, source } of types) {
    // Built-in types have no file.
    const named = source === type.uid ? type.uid : `${type.uid} (${source})`
    const apiName = apiNameOf(type)
    if (type.origin === 'api' && apiName !== '') {
      const other = takenBy(byApiName, apiName, named)
      const key = type.kind === 'singleType' ? 'singularName' : 'pluralName'
      if (other !== undefined)
        report.warn(
          `info.${key}`,
          `"/api/${apiName}" is the endpoint of ${other}, so this type gets no endpoint. Relations to it still work`,
        )
    }
    if (type.collectionName === '') continue
    const other = takenBy(byCollection, type.collectionName, named)
    if (other !== undefined)
      report('collectionName', `"${type.collectionName}" is the collection of ${other}`)
  }
}

function takenBy(taken: Map<string, string>, name: string, type: string): string | undefined {
  const other = taken.get(name)
  if (other === undefined) taken.set(name, type)
  return other
}
