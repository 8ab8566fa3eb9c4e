import {
  isScalar,
  type Attribute,
  type MorphAttribute,
  type RelationAttribute,
  type ScalarAttribute,
} from './attribute.js'
import { structuresOf } from './attributes-in.js'
import { collectionOf, type ContentType, type Status, type Structure } from './content-type.js'
import { isReferring } from './edge-attribute.js'
import type { Registry } from './registry.js'
import type { Report } from './schema-error.js'
import { modifiedField } from '../values/modified.js'
import { referencesField } from '../values/references.js'
import { systemAttribute } from './system-attributes.js'
import { uniquesField } from '../values/unique-list.js'
import { valueForms, type StoredForm } from '../values/value-forms.js'

/** An index that a collection must have. */
export type Index = Readonly<{
  /** Derived from the other members. The prefix `quire_` marks the indexes that Quire manages. */
  name: string
  /** Paths in stored documents, in the order of the index. */
  fields: readonly string[]
  /** Those of the `fields` that are in descending order. */
  descending?: readonly string[] | undefined
  unique: boolean
  /** A partial index only contains entries whose `field` is at least `least`. */
  partial?: Readonly<{ field: string; least: string | number | boolean | Date }> | undefined
}>

export type CollectionIndexes = Readonly<{ collection: string; indexes: readonly Index[] }>

/** MongoDB allows 64, including `_id` (docs/internals/storage.md, "Indexes on every content collection"). */
const maxIndexes = 60

/** Sets `listed` and `listsUniques` on a type that needs an index of its references or unique values in components. */
export function withLists(type: ContentType, known: Pick<Registry, 'components'>): ContentType {
  const refers: Test = (attribute, inComponent) =>
    attribute.type === 'media' || (inComponent && isReferring(attribute))
  const isUnique: Test = (attribute, inComponent) =>
    inComponent && isScalar(attribute) && attribute.unique
  return Object.freeze({
    ...type,
    ...(holds(type, known, refers, new Set()) ? { listed: true } : {}),
    ...(holds(type, known, isUnique, new Set()) ? { listsUniques: true } : {}),
  })
}

type Test = (attribute: Attribute, inComponent: boolean) => boolean

/** Whether any attribute passes the test, even inside components. `seen` ends the recursion in invalid definitions. */
function holds(
  structure: Structure,
  known: Pick<Registry, 'components'>,
  test: Test,
  seen: Set<Structure>,
): boolean {
  seen.add(structure)
  return [...structure.attributes.values()].some(
    (attribute) =>
      test(attribute, 'category' in structure) ||
      structuresOf(attribute, known).some(
        (component) => !seen.has(component) && holds(component, known, test, seen),
      ),
  )
}

/**
 * If a type has too many indexes, removes those of some relations, starting with relations that have no inverse side.
 * The sources of these relations are then found by their list of references (docs/internals/storage.md, "References").
 */
export function shareIndexes(type: ContentType): ContentType {
  const excess = countIndexes(type) - maxIndexes
  if (excess <= 0) return type
  const relations = [...type.attributes.values()].filter(isOwned)
  const byWorth = [
    ...relations.filter(({ inverseSide }) => inverseSide !== undefined),
    ...relations.filter(({ inverseSide }) => inverseSide === undefined),
  ]
  // Remove one more index, to make room for the index of the list of references.
  const given = type.listed === true ? excess : excess + 1
  const listed = new Set<Attribute>(byWorth.slice(-given))
  const attributes = [...type.attributes].map(([name, attribute]): [string, Attribute] => [
    name,
    listed.has(attribute) ? ({ ...attribute, listed: true } as Attribute) : attribute,
  ])
  return { ...type, attributes: new Map(attributes) }
}

const isOwned = (attribute: Attribute): attribute is RelationAttribute =>
  attribute.type === 'relation' && attribute.owner

/** Whether a type has an index of the lists of references. */
export function hasListIndex({ listed, attributes }: ContentType): boolean {
  return listed === true || [...attributes.values()].some(isListed)
}

const isListed = (attribute: Attribute): boolean =>
  attribute.type === 'relation' && attribute.listed === true

/**
 * Returns the indexes of a content-type's collections, those of published versions first (docs/internals/storage.md,
 * "Indexes on every content collection"). Relations inside components have no index of their own, because components
 * can be nested to any depth.
 */
export function indexList(type: ContentType): readonly CollectionIndexes[] {
  const statuses: readonly Status[] = type.draftAndPublish ? ['published', 'draft'] : ['published']
  return statuses.map((status) => ({
    collection: collectionOf(type, status),
    indexes: uniqueByName([
      ...systemIndexes(type),
      ...attributeIndexes(type, status),
      ...(hasListIndex(type) ? [listIndex] : []),
      ...(status === 'draft' ? [modifiedIndex(type)] : []),
      ...(status === 'published' && type.listsUniques === true ? uniqueIndexes : []),
      ...type.indexes.map((names) => makeIndex(withId(names.map((name) => fieldOf(type, name))))),
    ]),
  }))
}

/** Returns the indexes that a type's definition requires in one of its collections. */
export const definedIndexes = (type: ContentType, collection: string): readonly Index[] =>
  indexList(type).find((list) => list.collection === collection)?.indexes ?? []

/**
 * Returns the number of indexes of the type's collection with the most indexes. Does not count the index of modified
 * drafts, for which `maxIndexes` leaves room.
 */
const countIndexes = (type: ContentType): number =>
  Math.max(
    ...indexList(type).map(
      ({ indexes }) => indexes.filter((index) => !isModifiedIndex(index)).length,
    ),
  )

/** Reports a type with more indexes than a collection can have. */
export function checkIndexCount(type: ContentType, report: Report): void {
  const count = countIndexes(type)
  if (count > maxIndexes)
    report(
      '',
      `${type.uid} needs ${count} indexes, but a content-type can have at most ${maxIndexes}`,
    )
}

/**
 * Returns an index that no definition requires, named like a defined index with the same fields.
 * @param descending the subset of `fields` in descending order
 */
export function plainIndex(fields: readonly string[], descending: readonly string[] = []): Index {
  if (descending.length === 0) return makeIndex(fields)
  const marked = fields.map((field) => (descending.includes(field) ? `-${field}` : field))
  return { ...makeIndex(marked), fields, descending }
}

/** Returns the fields except the locale, which every query of a localized type contains. */
export function fieldsBehindLocale({ fields }: Index): readonly string[] {
  return fields.filter((field) => field !== 'locale')
}

function systemIndexes(type: ContentType): readonly Index[] {
  return [
    makeIndex(['documentId', 'locale'], { unique: true }),
    ...(type.localized ? [makeIndex(['locale', '_id'])] : []),
    ...(type.kind === 'singleType' ? [makeIndex(['locale'], { unique: true })] : []),
  ]
}

function attributeIndexes(type: ContentType, status: Status): readonly Index[] {
  return [...type.attributes.values()].flatMap((attribute) => {
    if (isScalar(attribute)) return scalarIndexes(type, attribute, status)
    if (attribute.type === 'morph') return [targetIndex(type, attribute)]
    return isOwned(attribute) ? relationIndexes(type, attribute) : []
  })
}

function scalarIndexes(
  type: ContentType,
  attribute: ScalarAttribute,
  status: Status,
): readonly Index[] {
  const { storedAs, unique, index } = attribute
  const partial = { field: storedAs, least: least[valueForms[attribute.type].stored] ?? '' }
  // Without locales, queries do not filter by locale, so they could not use an index that begins with it.
  const scope = type.localized ? ['locale'] : []
  return [
    ...(unique
      ? [makeIndex([storedAs, 'locale'], { unique: status === 'published', partial })]
      : []),
    ...(index ? [makeIndex([...scope, storedAs, '_id'])] : []),
  ]
}

/** Versions without references are not in this index. */
const listIndex: Index = makeIndex([referencesField], {
  partial: { field: referencesField, least: '' },
})

/**
 * The indexes of the unique values in components. A value that was not unique when its attribute became unique has a
 * `clash`, so that the first index accepts it. The second index finds such values.
 */
const uniqueIndexes: readonly Index[] = [
  makeIndex([`${uniquesField}.is`, `${uniquesField}.clash`, 'locale'], {
    unique: true,
    partial: { field: `${uniquesField}.is`, least: '' },
  }),
  makeIndex([`${uniquesField}.clash`], {
    partial: { field: `${uniquesField}.clash`, least: '' },
  }),
]

/** The index of drafts that may be modified, with the values that tell whether a draft is modified. */
function modifiedIndex({ localized }: ContentType): Index {
  const fields = [modifiedField, ...(localized ? ['locale'] : []), '_id', 'documentId', 'updatedAt']
  return makeIndex(fields, { partial: { field: modifiedField, least: true } })
}

const isModifiedIndex = ({ fields: [first] }: Index): boolean => first === modifiedField

/**
 * Returns the index by which an inverse side finds its sources, in their stored order. It does not contain the target's
 * type, because a documentId belongs to only one type. It contains the locale, so that a search for the entries without
 * a target, of which there may be very many, does not fetch those of other locales.
 */
function targetIndex(
  { localized }: ContentType,
  { storedAs }: RelationAttribute | MorphAttribute,
): Index {
  const locale = localized ? ['locale'] : []
  return makeIndex([`${storedAs}.documentId`, `${storedAs}.order`, ...locale])
}

function relationIndexes(type: ContentType, attribute: RelationAttribute): readonly Index[] {
  const target = `${attribute.storedAs}.documentId`
  const byTarget = attribute.listed === true ? [] : [targetIndex(type, attribute)]
  if (!attribute.exclusive || attribute.relation !== 'oneToOne') return byTarget
  const partial = { field: target, least: '' }
  return [...byTarget, makeIndex([target, 'locale'], { unique: true, partial })]
}

/**
 * The smallest value of each stored form; for text, it is the empty string. As the lower limit of a partial unique
 * index, it excludes nulls, unlike `$exists`. With a `$type` filter instead, the query planner would not use the index.
 */
const least: Readonly<Partial<Record<StoredForm, number | boolean | Date>>> = {
  number: -Infinity,
  long: -Infinity,
  decimal: -Infinity,
  boolean: false,
  date: new Date(-8_640_000_000_000_000),
}

function fieldOf(type: ContentType, name: string): string {
  return (type.attributes.get(name) ?? systemAttribute(type, name))?.storedAs ?? name
}

/** Every sort ends with the record id (docs/internals/decisions.md, "Comparing and sorting"). */
function withId(fields: readonly string[]): readonly string[] {
  return fields.includes('_id') ? fields : [...fields, '_id']
}

function makeIndex(
  fields: readonly string[],
  options: Partial<Pick<Index, 'unique' | 'partial'>> = {},
): Index {
  const { unique = false, partial } = options
  const marks = `${unique ? ':unique' : ''}${partial === undefined ? '' : ':partial'}`
  const name = `quire_${fields.join('+')}${marks}`
  return { name, fields, unique, ...options }
}

/** Of indexes with the same name, keeps only one. */
export function uniqueByName(indexes: readonly Index[]): readonly Index[] {
  return [...new Map(indexes.map((index) => [index.name, index])).values()]
}
