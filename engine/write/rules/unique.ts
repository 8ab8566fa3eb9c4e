import { isDeepStrictEqual } from 'node:util'
import { type ScalarAttribute, isScalar } from '../../schema/attribute.js'
import { type ContentType, collectionOf } from '../../schema/content-type.js'
import { type Failure, attributeError, throwFailures } from '../body/failure.js'
import type { Validated } from './validate.js'
import type { Body } from '../body/read-body.js'
import { type Hashes, storeScalar, viewScalar } from '../change/store-scalar.js'
import { concealStored } from './conceal-stored.js'
import { type Version, type Change, versionIn } from '../change/change.js'
import { maxSharedLength, type FindByValue, findTaken, findListed } from '../load/find-by-value.js'
import type { Registry } from '../../schema/registry.js'
import type { UnitOfWork } from '../../database/unit-of-work.js'
import {
  type FoundUnique,
  uniqueFields,
  uniquePlaces,
  uniquesIn,
} from '../../schema/unique-places.js'
import { newestTypesOf } from '../../schema/whole-types.js'
import { type ListedUnique, type UniqueList, listedIn } from '../../values/unique-list.js'
import { groupBy } from '../../values/batches.js'

type Written = Readonly<{
  type: ContentType
  registry: Registry
  documentId: string
  locale: string | null
}>

/**
 * Throws one error for the given failures and all unique values that are taken, if there are any.
 * @param findByValue looks up values in the published or only versions of the type
 * @param version the stored version that the write replaces. Unchanged values are not looked up
 * @param isSent whether the value at a path came with this request (see `concealStored`)
 */
export async function throwAll(
  findByValue: FindByValue,
  written: Written,
  { value, failures }: Validated,
  version: Version | undefined,
  hashes: ReadonlyMap<string, string>,
  isSent: (path: Failure['path']) => boolean,
): Promise<void> {
  const { type, documentId, locale } = written
  const wanted = wantedUniques(type, value, failures, hashes).filter(
    // Shared values are looked up even if unchanged: another document may have one in a locale that this document
    // lacks.
    ({ attribute, value }) =>
      (type.localized && !attribute.localized) ||
      !isDeepStrictEqual(version?.[attribute.storedAs], value),
  )
  const queries = wanted.map(({ attribute, value }) => ({
    field: attribute.storedAs,
    value,
    ...(type.localized && !attribute.localized ? {} : { locale }),
  }))
  const taken = await findTaken(findByValue, documentId, queries)
  const unique = wanted.filter(({ attribute }) => taken.has(attribute.storedAs)).map(uniqueFailure)
  const all = concealStored([...failures, ...unique], written, isSent)
  throwFailures(inAttributeOrder(type, all))
}

/** Returns the values to look up early, by stored name: short strings that must be unique and are stored as sent. */
export function uniqueTexts(type: ContentType, body: Body): ReadonlyMap<string, string> {
  const texts = new Map<string, string>()
  for (const attribute of type.attributes.values()) {
    if (!isScalar(attribute) || !attribute.unique || !storedVerbatim.has(attribute.type)) continue
    const value = body[attribute.name]
    const isChecked = typeof value === 'string' && value.length <= maxSharedLength
    if (isChecked) texts.set(attribute.storedAs, value)
  }
  return texts
}

const storedVerbatim: ReadonlySet<string> = new Set([
  'string',
  'text',
  'richtext',
  'email',
  'uid',
  'enumeration',
])

/** A value that no other document may have. */
type WantedUnique = Readonly<{
  attribute: ScalarAttribute
  /** The value as sent, for the error. */
  shown: unknown
  value: unknown
}>

const notUnique = 'This attribute must be unique'

/** Returns the values that must be unique. Omits attributes that have other failures. */
function wantedUniques(
  type: ContentType,
  body: Body,
  failures: readonly Failure[],
  hashes: Hashes,
): readonly WantedUnique[] {
  const wrong = new Set(failures.map(({ path }) => path[0]))
  return [...type.attributes.values()].flatMap((attribute) => {
    if (!isScalar(attribute) || !attribute.unique || wrong.has(attribute.name)) return []
    const shown = body[attribute.name]
    if (shown === undefined || shown === null) return []
    return [{ attribute, shown, value: storeScalar(attribute, shown, { hashes }) }]
  })
}

function uniqueFailure({ attribute, shown }: WantedUnique): Failure {
  return { path: [attribute.name], message: notUnique, value: shown }
}

/** Sorts failures by the order of the attributes. Failures of the whole body come last. */
export function inAttributeOrder(
  type: ContentType,
  failures: readonly Failure[],
): readonly Failure[] {
  const rank = new Map([...type.attributes.keys()].map((name, at) => [name, at]))
  const rankOf = ({ path }: Failure) => rank.get(path[0] ?? '') ?? rank.size
  return failures.toSorted((a, b) => rankOf(a) - rankOf(b))
}

/** Creates the error for a value that a unique index rejected. */
export function takenError(type: ContentType, field: string, body: Body): Error {
  const attribute = [...type.attributes.values()].find(({ storedAs }) => storedAs === field)
  const name = attribute?.name ?? field
  return attributeError([name], notUnique, body[name])
}

/** The unique values in components after the write, and a failure for each value that is not unique. */
type CheckedUniques = Readonly<{ uniques: UniqueList | undefined; failures: readonly Failure[] }>

export const nothingUnique: CheckedUniques = { uniques: undefined, failures: [] }

/**
 * `kept` is the value's item in the stored list. It is undefined for values that must be checked: new ones, and those
 * in the body.
 */
type Wanted = FoundUnique & Readonly<{ kept: ListedUnique | undefined }>

/**
 * Checks the unique values in the entry's components. A value fails if it occurs twice in the entry, or if another
 * entry has it (docs/internals/storage.md, "Unique values in components").
 * @param versions the published or only versions of the document before the write
 */
export async function checkInComponents(
  unit: UnitOfWork,
  { type, registry, documentId, locale, body }: Written & Readonly<{ body: Body }>,
  { content, common }: Pick<Change, 'content' | 'common'>,
  versions: readonly Version[],
): Promise<CheckedUniques> {
  const types = newestTypesOf(registry)
  const places = uniquePlaces(types.contentTypes.get(type.uid) ?? type, types)
  if (places.below.length === 0) return nothingUnique

  const version = versionIn(versions, locale)
  const before = version === undefined ? clashesIn(versions[0], common) : listedIn(version)
  const wanted = withKept(uniquesIn(places, content), before, body)
  const checked = [...groupBy(wanted, 'is').values()].filter((group) => group.some(isNew))
  const isShared = ({ in: field }: Pick<ListedUnique, 'in'>): boolean => common.includes(field)
  const own = before.filter(({ clash }) => clash === undefined)
  const ownTexts = textsOf(own)
  const sharedTexts = textsOf(own.filter(isShared))
  const open = checked.filter(
    (group) => !(group.some(isShared) ? sharedTexts : ownTexts).has(textOf(group)),
  )
  const found = await findListed(unit, collectionOf(type, 'published'), open.map(textOf))
  const listed = found.flatMap((one) =>
    listedIn(one)
      .filter(
        (unique) => one.documentId !== documentId || (one.locale !== locale && !isShared(unique)),
      )
      .map(({ is }) => ({ is, locale: one.locale })),
  )
  const others = groupBy(listed, 'is')
  // This write stores shared values in all locales, so no other entry may have them in any locale.
  const taken = new Set(
    open.filter((group) =>
      others.get(textOf(group))?.some((one) => one.locale === locale || group.some(isShared)),
    ),
  )
  const failing = checked.flatMap((group) =>
    group.filter((one, at) => at > 0 || (taken.has(group) && isNew(one))),
  )
  return {
    uniques: {
      fields: uniqueFields(places),
      listed: wanted.map(({ in: field, is, kept }) => ({ in: field, is, ...clashOf(kept) })),
    },
    failures: failing.map(failureOf),
  }
}

const textOf = ([first]: readonly Wanted[]): string => first?.is ?? ''

const textsOf = (uniques: readonly ListedUnique[]): ReadonlySet<string> =>
  new Set(uniques.map(({ is }) => is))

const isNew = ({ kept }: Wanted): boolean => kept === undefined

const clashOf = (kept: ListedUnique | undefined): Pick<ListedUnique, 'clash'> =>
  kept?.clash === undefined ? {} : { clash: kept.clash }

/**
 * Returns the list items of shared values that a new locale copies and that are marked as duplicates (`clash`). These
 * old duplicates are not rejected now.
 */
const clashesIn = (
  sibling: Version | undefined,
  common: readonly string[],
): readonly ListedUnique[] =>
  listedIn(sibling).filter((one) => one.clash !== undefined && common.includes(one.in))

/** Finds the stored list item of each unique value (`kept`), unless the body contains the value. */
function withKept(
  found: readonly FoundUnique[],
  before: readonly ListedUnique[],
  body: Body,
): readonly Wanted[] {
  const listed = groupBy(before, 'is')
  const taken = new Map<string, number>()
  return found.map((one) => {
    if (isNamed(body, one.path)) return { ...one, kept: undefined }
    const at = taken.get(one.is) ?? 0
    taken.set(one.is, at + 1)
    return { ...one, kept: listed.get(one.is)?.[at] }
  })
}

function isNamed(body: Body, path: readonly string[]): boolean {
  let value: unknown = body
  for (const name of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return false
    value = (value as Readonly<Record<string, unknown>>)[name]
  }
  return true
}

const failureOf = ({ attribute, path, value }: Wanted): Failure => ({
  path,
  message: notUnique,
  value: viewScalar(attribute, value, new Map()),
})
