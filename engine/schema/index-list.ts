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

/** An index that a collection should have. */
export type Index = Readonly<{
  /** Derived from the other members. The prefix `quire_` marks indexes that Quire manages. */
  name: string
  /** Paths in the order of the index. */
  fields: readonly string[]
  /** Fields that are indexed in descending order. Absent: none. */
  descending?: readonly string[] | undefined
  unique: boolean
  /** Limits the index to entries whose field has at least this value. Undefined: all entries. */
  partial?: Readonly<{ field: string; least: string | number | boolean | Date }> | undefined
}>

export type CollectionIndexes = Readonly<{ collection: string; indexes: readonly Index[] }>

/**
 * Maximum number of indexes of a collection. MongoDB allows 64, including `_id` (docs/storage.md, "Indexes on every
 * content collection").
 */
const maxIndexes = 60

/**
 * Marks a type whose versions list references (`listed`) or unique values (`listsUniques`), because the fields that
 * contain these have no index.
 */
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

/** `seen` prevents endless recursion. Components that contain each other are reported elsewhere. */
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
 * Gives separate indexes to as many relations as the limit of a collection allows, two-sided relations first. The
 * sources of the other relations are found by their list of references (docs/storage.md, "References").
 */
export function shareIndexes(type: ContentType): ContentType {
  const excess = countIndexes(type) - maxIndexes
  if (excess <= 0) return type
  const relations = [...type.attributes.values()].filter(isOwned)
  const byWorth = [
    ...relations.filter(({ inverseSide }) => inverseSide !== undefined),
    ...relations.filter(({ inverseSide }) => inverseSide === undefined),
  ]
  // If the type has no list index yet, remove one more index to make space for it.
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

/** Whether the versions of a type are found by their list of references. */
export function hasListIndex({ listed, attributes }: ContentType): boolean {
  return listed === true || [...attributes.values()].some(isListed)
}

const isListed = (attribute: Attribute): boolean =>
  attribute.type === 'relation' && attribute.listed === true

/**
 * Returns the indexes of a content-type's collections, the published (or only) one first (docs/storage.md, "Indexes on
 * every content collection"). Relations inside components have no index. Reads skip a reference to a missing entry, and
 * components can be nested to any depth.
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

/**
 * Returns the number of indexes of the type's collection that has the most. The index of modified drafts does not
 * count, because `maxIndexes` leaves space for it.
 */
const countIndexes = (type: ContentType): number =>
  Math.max(
    ...indexList(type).map(
      ({ indexes }) => indexes.filter((index) => !isModifiedIndex(index)).length,
    ),
  )

/** Rejects a type that needs more indexes than a collection may have. */
export function checkIndexCount(type: ContentType, report: Report): void {
  const count = countIndexes(type)
  if (count > maxIndexes)
    report(
      '',
      `${type.uid} defines ${count} indexes, but a content-type can have at most ${maxIndexes}`,
    )
}

/**
 * Returns an index that no definition declares. A declared index with the same fields has the same name.
 * @param descending the fields that are indexed in descending order
 */
export function plainIndex(fields: readonly string[], descending: readonly string[] = []): Index {
  if (descending.length === 0) return makeIndex(fields)
  const marked = fields.map((field) => (descending.includes(field) ? `-${field}` : field))
  return { ...makeIndex(marked), fields, descending }
}

/** Returns the fields of an index without the locale, which every query of a localized type contains. */
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
  // Queries of types without locales have no locale, so they cannot use an index that begins with it.
  const scope = type.localized ? ['locale'] : []
  return [
    ...(unique
      ? [makeIndex([storedAs, 'locale'], { unique: status === 'published', partial })]
      : []),
    ...(index ? [makeIndex([...scope, storedAs, '_id'])] : []),
  ]
}

/** The index of the references that entries list. It does not contain entries without references. */
const listIndex: Index = makeIndex([referencesField], {
  partial: { field: referencesField, least: '' },
})

/**
 * The indexes of the unique values in components that versions list. If another entry already had a value, the value
 * gets a `clash`, so the first index accepts it. The second index finds these values.
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

/**
 * The index of drafts that may be modified, in the order of their ids, with the values that the comparison needs. It
 * does not contain other drafts.
 */
function modifiedIndex({ localized }: ContentType): Index {
  const fields = [modifiedField, ...(localized ? ['locale'] : []), '_id', 'documentId', 'updatedAt']
  return makeIndex(fields, { partial: { field: modifiedField, least: true } })
}

/** Whether an index is the index of modified drafts. */
const isModifiedIndex = ({ fields: [first] }: Index): boolean => first === modifiedField

/**
 * Returns the index for the inverse side, which reads references by target in their stored order. A documentId implies
 * its type. Because the index contains the locale, entries of other locales are not fetched, for example the many
 * entries without a target.
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
 * The smallest value of each form; for text, it is the empty string. As the lower limit of a unique index, it excludes
 * nulls. With `$exists`, two nulls would collide, and the planner ignores an index whose filter is a `$type`.
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

/** Ends the fields with the record id, because every sort ends with it (docs/decisions.md, "Comparing and sorting"). */
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

function uniqueByName(indexes: readonly Index[]): readonly Index[] {
  return [...new Map(indexes.map((index) => [index.name, index])).values()]
}
