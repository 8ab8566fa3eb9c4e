import type { UnitOfWork } from '../../database/unit-of-work.js'
import type { ContentType } from '../../schema/content-type.js'
import { collectionOf } from '../../schema/content-type.js'
import type { Registry } from '../../schema/registry.js'
import type { FoundUnique } from '../../schema/unique-places.js'
import { uniqueFields, uniquePlaces, uniquesIn } from '../../schema/unique-places.js'
import { newestTypesOf } from '../../schema/whole-types.js'
import type { ListedUnique, UniqueList } from '../../values/unique-list.js'
import { listedIn } from '../../values/unique-list.js'
import type { Body } from '../body/read-body.js'
import type { Change, Version } from '../change/change.js'
import { versionIn } from '../change/change.js'
import { viewScalar } from '../change/store-scalar.js'
import { findListed } from '../load/find-by-value.js'
import { groupBy } from '../load/group-by.js'
import type { Failure } from '../body/failure.js'
import { notUnique } from './unique.js'

/** The unique values in components after the write, and a failure for each value that is not unique. */
type CheckedUniques = Readonly<{ uniques: UniqueList | undefined; failures: readonly Failure[] }>

export const nothingUnique: CheckedUniques = { uniques: undefined, failures: [] }

type Written = Readonly<{
  type: ContentType
  registry: Registry
  documentId: string
  locale: string | null
  body: Body
}>

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
  { type, registry, documentId, locale, body }: Written,
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
