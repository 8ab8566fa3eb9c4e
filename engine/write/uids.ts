import type { UnitOfWork } from '../database/unit-of-work.js'
import { fail } from '../errors.js'
import { suggestionFor } from '../errors/nearest-name.js'
import { maxLengthOf, type ScalarAttribute } from '../schema/attribute.js'
import { collectionsOf, type ContentType } from '../schema/content-type.js'
import type { Registry } from '../schema/registry.js'
import { chunksOf, groupBy } from '../values/batches.js'
import { isObject } from '../values/is-object.js'
import { slugOf } from '../values/slug.js'
import { type Locales, resolveWriteLocale } from './body/parameters.js'
import { findAtOnce } from './load/find-at-once.js'
import { findByText } from './load/find-by-value.js'

/** Where a uid must be unique. */
export type UidPlace = Readonly<{
  type: ContentType
  attribute: ScalarAttribute
  locale: string | null
  /** The written document, whose own uids do not count as taken. */
  documentId?: string | undefined
  /** For a uid in components: its stored paths in the type, and the uids that the written entry has. */
  inner?: Readonly<{ paths: readonly string[]; own: ReadonlySet<string> }> | undefined
}>

/** Names a uid attribute as in Strapi's content manager. */
export type NamedUid = Readonly<{ contentTypeUID: string; field: string }>

/** @throws 400 if the content-type, the uid attribute or the locale does not exist */
export function resolveUid(
  { contentTypes }: Registry,
  { contentTypeUID, field }: NamedUid,
  locale: string | undefined,
  locales: Locales,
): UidPlace {
  const type = contentTypes.get(contentTypeUID)
  if (type === undefined)
    throw fail('validation', 'ContentType not found', {
      ...{ path: 'contentTypeUID', source: 'body' },
      ...suggestionFor(contentTypeUID, contentTypes.keys()),
    })
  const attribute = type.attributes.get(field)
  if (attribute?.type !== 'uid')
    throw fail('validation', `${field} must be a valid \`uid\` attribute`, {
      ...{ path: 'field', source: 'body' },
      ...suggestionFor(field, type.attributes.keys()),
    })
  return { type, attribute, locale: resolveWriteLocale(type, locale, locales) }
}

/** Maximum length of a generated uid, even if the definition allows more. */
const maxLength = 255

/** Makes a uid from a string. As in Strapi, a string without usable characters is replaced by the type's name. */
export const uidOf = ({ type, attribute }: UidPlace, text: unknown): string =>
  (typeof text === 'string' && slugOf(text, attribute.slugOptions)) ||
  slugOf(type.singularName, attribute.slugOptions)

/** Returns the uids that other documents have in the locale, as drafts or published. */
export async function takenUids(
  unit: UnitOfWork,
  place: UidPlace,
  uids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (place.inner !== undefined) return takenInner(unit, place, place.inner, uids)
  const { type, attribute, locale, documentId } = place
  const { storedAs: field } = attribute
  const taken = new Set<string>()
  await Promise.all(
    uids.flatMap((text) =>
      collectionsOf(type).map(async (collection) => {
        const found = await findByText(unit, { collection, field, text, locale })
        if (found.some((other) => other.documentId !== documentId)) taken.add(text)
      }),
    ),
  )
  return taken
}

/** Maximum number of uids in one query. They take about a megabyte for each path. */
const maxSought = 5000

/** Returns the uids that components have. They are not indexed, so all entries of the type are searched. */
async function takenInner(
  unit: UnitOfWork,
  { type, locale, documentId }: UidPlace,
  { paths, own }: NonNullable<UidPlace['inner']>,
  uids: readonly string[],
): Promise<ReadonlySet<string>> {
  const projection = Object.fromEntries(paths.map((path) => [path, 1]))
  const stored = new Set<unknown>(own)
  for (const some of chunksOf(uids, maxSought))
    for (const collection of collectionsOf(type)) {
      const filter = {
        ...{ locale, documentId: { $ne: documentId } },
        $or: paths.map((path) => ({ [path]: { $in: some } })),
      }
      const found = await unit.read((options) =>
        findAtOnce(unit.db, { collection, filter, projection }, options),
      )
      for (const version of found)
        for (const path of paths)
          for (const value of valuesAt(version, path.split('.'))) stored.add(value)
    }
  return new Set(uids.filter((uid) => stored.has(uid)))
}

/** Returns all values at a path. Lists on the path are replaced by their elements. */
function valuesAt(stored: unknown, [field, ...rest]: readonly string[]): readonly unknown[] {
  if (field === undefined) return [stored]
  if (Array.isArray(stored)) return stored.flatMap((item) => valuesAt(item, [field, ...rest]))
  return isObject(stored) ? valuesAt(stored[field], rest) : []
}

const few = Array.from({ length: 15 }, (_, at) => at + 1)
const many = Array.from({ length: 20 }, (_, at) => 16 * 2 ** at)

/**
 * Returns the first of `hello`, `hello-1`, `hello-2` … that is free. After `hello-15`, it may skip free numbers to
 * limit the number of queries.
 * @param take locks each uid before it is tried, so that no concurrent request chooses it
 */
export async function findFreeUid(
  unit: UnitOfWork,
  place: UidPlace,
  wanted: string,
  take: (uid: string) => Promise<void> = () => Promise.resolve(),
): Promise<string> {
  const areTaken = async (numbers: readonly number[]): Promise<readonly boolean[]> => {
    const uids = numbers.map((number) => numbered(place, wanted, number))
    const taken = await takenUids(unit, place, uids)
    return uids.map((uid) => taken.has(uid))
  }
  for (let number = 0; ; number = await firstFree(areTaken)) {
    const uid = numbered(place, wanted, number)
    await take(uid)
    const [isTaken] = await areTaken([number])
    if (isTaken === false) return uid
  }
}

/** Finds free uids. Each round tries twice as many numbers as the previous one, so many taken uids need few queries. */
export async function findFreeUids(
  unit: UnitOfWork,
  place: UidPlace,
  wanted: readonly string[],
): Promise<readonly string[]> {
  const free: string[] = []
  const used = new Set<string>()
  const tried = new Map<string, number>()
  let open = wanted.map((text, at) => ({ text, at }))
  for (let size = 1; open.length > 0; size *= 2) {
    const groups = [...groupBy(open, 'text')].map(([text, members]) => {
      const from = tried.get(text) ?? 0
      const count = members.length * size
      tried.set(text, from + count)
      const uids = Array.from({ length: count }, (_, at) => numbered(place, text, from + at))
      return { members, uids }
    })
    const all = groups.flatMap(({ uids }) => uids)
    const taken = await takenUids(unit, place, all)
    open = groups.flatMap(({ members, uids }) => {
      const left = [...members]
      for (const uid of uids) {
        if (left.length === 0) break
        if (taken.has(uid) || used.has(uid)) continue
        used.add(uid)
        free[left.shift()?.at ?? 0] = uid
      }
      return left
    })
  }
  return free
}

/** Appends a number (`hello`, `hello-1`), and shortens the uid to the allowed length. */
function numbered({ attribute }: UidPlace, wanted: string, number: number): string {
  const longest = Math.min(maxLengthOf(attribute), maxLength)
  const end = number === 0 ? '' : `-${number}`
  return wanted.slice(0, Math.max(0, longest - end.length)) + end
}

async function firstFree(
  areTaken: (numbers: readonly number[]) => Promise<readonly boolean[]>,
): Promise<number> {
  const tried = [...few, ...many]
  const taken = await areTaken(tried)
  let high = tried[taken.indexOf(false)]
  if (high === undefined) throw fail('conflict')
  // If `high` exceeds 16, the previous round tried `high / 2`, which is taken.
  for (let low = high > 16 ? high / 2 : high - 1; high - low > 1;) {
    const middle = Math.floor((low + high) / 2)
    const [isTaken] = await areTaken([middle])
    if (isTaken === true) low = middle
    else high = middle
  }
  return high
}
