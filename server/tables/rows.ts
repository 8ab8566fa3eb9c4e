import type { ContentType, Structure } from '../../engine/schema/content-type.js'
import type { Attribute } from '../../engine/schema/attribute.js'
import { mapComponents } from '../../engine/schema/members-in.js'
import { componentOf, type Registry } from '../../engine/schema/registry.js'
import { objectOf, type PlainObject } from '../../engine/values/is-object.js'
import { isReference, tableAttributes, type Column } from './columns.js'

/** The values of one version of an entry, by column header. */
export type Row = PlainObject

/** Returns the `populate` parameters for rows: documentIds of relations and media, and components at every level. */
export function populateOf(type: ContentType, registry: Registry, columns: readonly Column[]) {
  const by = new Map(
    columns.flatMap(({ name, by }) =>
      by?.attributes[0] === undefined ? [] : [[name, by.attributes[0]] as const],
    ),
  )
  return populatePairs(type, registry, 'populate', by)
}

function populatePairs(
  structure: Structure,
  registry: Registry,
  path: string,
  by: ReadonlyMap<string, string> = new Map(),
): readonly (readonly [string, string])[] {
  return tableAttributes(structure).flatMap(([name, attribute]) => {
    const own = `${path}[${name}]`
    if (isReference(attribute)) {
      const fields = ['documentId', by.get(name) ?? 'documentId']
      return [...new Set(fields)].map((field, at) => [`${own}[fields][${at}]`, field] as const)
    }
    if (attribute.type === 'component') return inside(registry, attribute.component, own)
    if (attribute.type === 'dynamiczone')
      return attribute.components.flatMap((uid) => inside(registry, uid, `${own}[on][${uid}]`))
    return []
  })
}

function inside(
  registry: Registry,
  uid: string,
  path: string,
): readonly (readonly [string, string])[] {
  const pairs = populatePairs(componentOf(registry, uid), registry, `${path}[populate]`)
  return pairs.length === 0 ? [[path, 'true']] : pairs
}

/** Returns the row of an entry that was read with `populateOf`. */
export function rowOf(
  entry: PlainObject,
  type: ContentType,
  registry: Registry,
  columns: readonly Column[],
  status: string,
): Row {
  const own = {
    documentId: entry.documentId,
    locale: type.localized ? (entry.locale ?? null) : null,
    status: type.draftAndPublish ? status : null,
  }
  const cells = columns.map(({ header, name, by }) => {
    const attribute = type.attributes.get(name)
    return [
      header,
      attribute === undefined ? null : valueOf(entry[name], attribute, registry, by?.attributes[0]),
    ] as const
  })
  return { ...own, ...Object.fromEntries(cells) }
}

/** Returns a value for an API body. Components keep their ids, by which a later import finds them. */
function valueOf(
  value: unknown,
  attribute: Attribute,
  registry: Registry,
  by = 'documentId',
): unknown {
  if (value === null || value === undefined) return null
  if (isReference(attribute)) {
    const nameOf = (target: unknown): unknown => objectOf(target)[by] ?? null
    return Array.isArray(value) ? value.map(nameOf) : nameOf(value)
  }
  if (attribute.type !== 'component' && attribute.type !== 'dynamiczone') return value
  return mapComponents(attribute, value, registry, (component, item) => {
    const members = tableAttributes(component).map(
      ([name, attribute]) => [name, valueOf(item[name], attribute, registry)] as const,
    )
    return { id: item.id, ...Object.fromEntries(members) }
  })
}
