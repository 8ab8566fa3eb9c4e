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
  /** Made from the rest, and begins with `quire_`, by which an index of ours is known. */
  name: string
  /** Paths in the order they are indexed. */
  fields: readonly string[]
  /** Those of them that are indexed from the last value to the first; absent: none. */
  descending?: readonly string[] | undefined
  unique: boolean
  /** Entries that are indexed: those whose field has at least this value. Undefined = all. */
  partial?: Readonly<{ field: string; least: string | number | boolean | Date }> | undefined
}>

export type CollectionIndexes = Readonly<{ collection: string; indexes: readonly Index[] }>

/** MongoDB stops at 64 for a collection, `_id` included (docs/storage.md, "Indexes on every content collection"). */
const maxIndexes = 60

/** A type that knows what its versions list, because no field of theirs has an index for it. */
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

/** `seen`: components may contain each other, which is found out elsewhere. */
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
 * A type whose relations have indexes of their own as far as a collection may have them, two-sided ones first;
 * the owners of the others are found by what they list (docs/storage.md, "References").
 */
export function shareIndexes(type: ContentType): ContentType {
  const excess = countIndexes(type) - maxIndexes
  if (excess <= 0) return type
  const relations = [...type.attributes.values()].filter(isOwned)
  const byWorth = [
    ...relations.filter(({ counterpart }) => counterpart !== undefined),
    ...relations.filter(({ counterpart }) => counterpart === undefined),
  ]
  // One more, where one index comes to stand for all of them.
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

/** Whether those of its versions that refer to others are found by what they list. */
export function hasListIndex({ listed, attributes }: ContentType): boolean {
  return listed === true || [...attributes.values()].some(isListed)
}

const isListed = (attribute: Attribute): boolean =>
  attribute.type === 'relation' && attribute.listed === true

/**
 * The indexes of a content-type's collections, the published (or only) one first (docs/storage.md, "Indexes
 * on every content collection"). Relations inside components have none: a reference that leads nowhere is
 * left out when it is read, and components can be nested without end.
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

/** How many a collection of a type has at most, but the one of the service's own, for which there is room beside them. */
const countIndexes = (type: ContentType): number =>
  Math.max(
    ...indexList(type).map(
      ({ indexes }) => indexes.filter((index) => !isModifiedIndex(index)).length,
    ),
  )

/** Refuses a type that asks for more indexes than a collection may have. */
export function checkIndexCount(type: ContentType, report: Report): void {
  const count = countIndexes(type)
  if (count > maxIndexes)
    report('', `${type.uid} asks for ${count} indexes; a content-type may have ${maxIndexes}`)
}

/** An index that no definition asks for; one that does has the same name. `descending`: some of its fields. */
export function plainIndex(fields: readonly string[], descending: readonly string[] = []): Index {
  if (descending.length === 0) return makeIndex(fields)
  const marked = fields.map((field) => (descending.includes(field) ? `-${field}` : field))
  return { ...makeIndex(marked), fields, descending }
}

/** What an index narrows by: behind the locale, which every query of a localized type names. */
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
  // Queries of types without locales name none, and cannot use an index that begins with it.
  const scope = type.localized ? ['locale'] : []
  return [
    ...(unique
      ? [makeIndex([storedAs, 'locale'], { unique: status === 'published', partial })]
      : []),
    ...(index ? [makeIndex([...scope, storedAs, '_id'])] : []),
  ]
}

/** What entries list; those that refer to nothing are not in it. */
const listIndex: Index = makeIndex([referencesField], {
  partial: { field: referencesField, least: '' },
})

/**
 * What versions list of unique values in components. A value that clashes with an earlier one is there for itself, and
 * those that do are found by it.
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
 * Drafts that may be modified, in the order of their ids, with what they are compared by: drafts that are not are not
 * in it.
 */
function modifiedIndex({ localized }: ContentType): Index {
  const fields = [modifiedField, ...(localized ? ['locale'] : []), '_id', 'documentId', 'updatedAt']
  return makeIndex(fields, { partial: { field: modifiedField, least: true } })
}

/** Whether an index is that of modified drafts. */
const isModifiedIndex = ({ fields: [first] }: Index): boolean => first === modifiedField

/**
 * The inverse side reads by target, in its own order; a documentId says of which type. With the locale in it, entries of
 * other locales are not fetched, such as the many that have no target.
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
 * The least value of each form but text, whose least is empty. Nulls are kept out of unique indexes by it: `$exists`
 * would let two nulls collide, and the planner ignores an index whose filter is a `$type`.
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

/** Every sort ends with the record id (docs/decisions.md, "Comparing and sorting"), so an index does too. */
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
