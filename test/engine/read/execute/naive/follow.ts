import type { Attribute, RelationAttribute } from '../../../../../engine/schema/attribute.js'
import type { ContentType, Structure } from '../../../../../engine/schema/content-type.js'
import { builtIn, componentOf, typeOf } from '../../../../../engine/schema/registry.js'
import type { Doc, Row, View } from './world.js'
import { firstIn, isEntry, listOf, rowOf, versionsOf } from './world.js'

/** Returns the rows behind a relation, media or component attribute, in stored order. */
export function follow(view: View, row: Row, name: string): readonly Row[] {
  const structure = behind(view, row.structure, name)
  const { value, locale, chain } = row
  if (value === null) return []
  if (!isEntry(structure)) {
    const stored = value[attributeOf(row.structure, name).storedAs]
    return listOf(stored).map((inner) => ({ structure, value: inner, locale, chain }))
  }
  return targets(view, row, name, structure).map((target) => ({
    ...rowOf(structure, target),
    chain:
      name === 'localizations' || chain === null
        ? null
        : locale === null
          ? chainBehind(view)
          : chain,
  }))
}

/** Like `follow`, for filters and sort: returns the row of nulls if there is nothing. */
export function join(view: View, row: Row, name: string): readonly Row[] {
  const rows = follow(view, row, name)
  if (rows.length > 0) return rows
  const attribute = row.structure.attributes.get(name)
  const isOne = attribute?.type === 'component' && !attribute.repeatable
  const missing = row.missing === true || !isOne
  return [{ structure: behind(view, row.structure, name), value: null, locale: null, missing }]
}

export function attributeOf(structure: Structure, name: string): Attribute {
  const attribute = structure.attributes.get(name)
  if (attribute === undefined) throw new Error(`${structure.uid} has no ${name}`)
  return attribute
}

/** Returns the content-type or component of an attribute's values. */
export function behind({ world }: View, structure: Structure, name: string): Structure {
  if (name === 'localizations') return structure
  if (name === 'createdBy' || name === 'updatedBy') return typeOf(world.registry, builtIn.adminUser)
  const attribute = attributeOf(structure, name)
  switch (attribute.type) {
    case 'relation':
      return typeOf(world.registry, attribute.target)
    case 'media':
      return typeOf(world.registry, builtIn.file)
    case 'component':
      return componentOf(world.registry, attribute.component)
    default:
      throw new Error(`${name} leads nowhere`)
  }
}

function targets(view: View, row: Row, name: string, target: ContentType): readonly Doc[] {
  const holder = row.value ?? {}
  const all = versionsOf(view, target)
  if (name === 'localizations') {
    return all
      .filter((it) => it['documentId'] === holder['documentId'] && it['locale'] !== row.locale)
      .toSorted((a, b) => Number(a['_id']) - Number(b['_id']))
  }
  const seen = target.localized ? inLocale(view, row, all) : all
  if (name === 'createdBy' || name === 'updatedBy') return referred(holder[name], seen)
  const attribute = attributeOf(row.structure, name)
  return attribute.type === 'relation' && !attribute.owner
    ? referring(holder, seen, inverseNameOf(attribute, target))
    : referred(holder[attribute.storedAs], seen)
}

function inLocale(view: View, row: Row, all: readonly Doc[]): readonly Doc[] {
  const { locale, chain = view.chain } = row
  const locales = locale === null ? view.locales : chain
  return locales === null ? all.filter((it) => it['locale'] === locale) : firstIn(all, locales)
}

/** Returns the locales in which the targets of an entry without locales are looked for, the default locale included. */
export const chainBehind = ({ chain, locales }: View): Row['chain'] => chain && locales

const referred = (stored: unknown, seen: readonly Doc[]): readonly Doc[] =>
  listOf(stored).flatMap(({ documentId }) => seen.filter((it) => it['documentId'] === documentId))

/** Returns the entries whose `field` refers to `entry`, sorted by the order stored in these references, then by id. */
function referring(entry: Doc, seen: readonly Doc[], field: string): readonly Doc[] {
  const orderOf = (owner: Doc): number | undefined =>
    listOf(owner[field]).find((it) => it['documentId'] === entry['documentId'])?.['order'] as number
  return seen
    .filter((owner) => orderOf(owner) !== undefined)
    .toSorted(
      (a, b) => Number(orderOf(a)) - Number(orderOf(b)) || Number(a['_id']) - Number(b['_id']),
    )
}

function inverseNameOf({ inverseSide = '' }: RelationAttribute, target: ContentType): string {
  return attributeOf(target, inverseSide).storedAs
}
