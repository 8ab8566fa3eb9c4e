import type { Db, Document } from 'mongodb'
import { writeConcern } from '../database/durability.js'
import { isDuplicateKey } from '../database/duplicate-key.js'
import type { FoundUnique, UniquePlaces } from '../schema/unique-places.js'
import { uniqueFields, uniquesIn } from '../schema/unique-places.js'
import { chunksOf } from '../values/batches.js'
import type { VersionKey } from '../values/stored-types.js'
import type { ListedUnique } from '../values/unique-list.js'
import { listedIn, uniquesField } from '../values/unique-list.js'
import { isStoredAlike } from '../write/plan/stored-alike.js'

/** A collection whose versions store a list of the unique values in their components. */
export type UniquesCheck = Readonly<{ uid: string; collection: string; places: UniquePlaces }>

/** A unique value that an earlier entry already has, or that occurs twice in one entry. */
export type Clash = VersionKey & Pick<FoundUnique, 'path'>

type Version = Document & VersionKey & Readonly<{ _id: number; _revision?: number }>

type Options = Readonly<{
  repairs: boolean
  /** Whether to check only versions that had a clash when their list was last stored. */
  onlyClashing?: boolean
  /** Called for each version whose stored list does not match its content. */
  wrong?: (documentId: string) => void
  clashed?: (clash: Clash) => void
  pause?: () => Promise<void>
}>

const batchSize = 500

/** Writes that change a version after it was read cause retries. */
const maxAttempts = 100

/**
 * Stores in each version the list of the unique values in its components (docs/internals/storage.md, "Unique values in
 * components"). If two entries have the same value, the older entry keeps it. Updates only versions that have not
 * changed since they were read, and keeps their revision.
 */
export async function listUniques(db: Db, check: UniquesCheck, options: Options): Promise<void> {
  const { onlyClashing = false, wrong, clashed, pause } = options
  const { collection, places } = check
  const fields = ['documentId', 'locale', '_revision', uniquesField, ...uniqueFields(places)]
  const projection = Object.fromEntries(fields.map((field) => [field, 1]))
  const read = (filter: Document): Promise<Version[]> =>
    db
      .collection<Version>(collection)
      .find(filter, { projection, promoteLongs: false })
      .sort({ _id: 1 })
      .limit(batchSize)
      .toArray()
  const meant = onlyClashing ? { [`${uniquesField}.clash`]: { $gte: '' } } : {}
  for (let versions = await read(meant); versions.length > 0;) {
    const after = versions.at(-1)?._id
    let found = await compare(db, check, versions)
    for (const { version } of found.wrong) wrong?.(version.documentId)
    for (let attempt = 1; options.repairs && found.wrong.length > 0; attempt += 1) {
      if (attempt > maxAttempts) throw new Error(`Versions in ${collection} change all the time`)
      if (await store(db, collection, found.wrong)) break
      versions = await read({ _id: { $in: versions.map(({ _id }) => _id) } })
      found = await compare(db, check, versions)
    }
    for (const clash of found.clashes) clashed?.(clash)
    await pause?.()
    versions = await read({ ...meant, _id: { $gt: after } })
  }
}

type Relisted = Readonly<{ version: Version; listed: readonly ListedUnique[] }>

/** Compares the stored lists with the content of the versions. A document that already lists a value keeps it. */
async function compare(
  db: Db,
  { collection, places }: UniquesCheck,
  versions: readonly Version[],
): Promise<Readonly<{ wrong: readonly Relisted[]; clashes: readonly Clash[] }>> {
  const found = versions.map((version) => ({ version, uniques: uniquesIn(places, version) }))
  const owners = await findOwners(
    db,
    collection,
    found.flatMap(({ uniques }) => uniques.map(({ is }) => is)),
  )
  const clashes: Clash[] = []
  const relisted = found.map(({ version, uniques }): Relisted => {
    const { documentId, locale } = version
    const seen = new Set<string>()
    const listed = uniques.map(({ in: field, is, path }): ListedUnique => {
      const key = keyOf(locale, is)
      const owner = owners.get(key) ?? documentId
      owners.set(key, owner)
      const isFirst = owner === documentId && !seen.has(is)
      seen.add(is)
      if (isFirst) return { in: field, is }
      clashes.push({ documentId, locale, path })
      return { in: field, is, clash: documentId }
    })
    return { version, listed }
  })
  const wrong = relisted.filter(({ version, listed }) => !isStoredAlike(listedIn(version), listed))
  return { wrong, clashes }
}

const keyOf = (locale: string | null, is: string): string => `${locale ?? ''} ${is}`

/** Returns the documentIds of the documents that own these values in the unique index, by locale and value. */
async function findOwners(
  db: Db,
  collection: string,
  texts: readonly string[],
): Promise<Map<string, string>> {
  const owners = new Map<string, string>()
  for (const some of chunksOf([...new Set(texts)], batchSize)) {
    const cursor = db
      .collection<Document & VersionKey>(collection)
      .find({ [`${uniquesField}.is`]: { $in: [...some] } })
      .project<Document & VersionKey>({ documentId: 1, locale: 1, [uniquesField]: 1 })
    for await (const document of cursor)
      for (const { is, clash } of listedIn(document))
        if (clash === undefined) owners.set(keyOf(document.locale, is), document.documentId)
  }
  return owners
}

/** Returns false if a version was changed after it was read, or if another entry now has one of the values. */
async function store(db: Db, collection: string, wrong: readonly Relisted[]): Promise<boolean> {
  const operations = wrong.map(({ version: { _id, _revision }, listed }) => ({
    updateOne: {
      filter: { _id, _revision: (_revision ?? null) as number },
      update: { $set: { [uniquesField]: listed } },
    },
  }))
  try {
    const { matchedCount } = await db
      .collection<Version>(collection)
      .bulkWrite(operations, { ordered: false, ...(await writeConcern(db, false)) })
    return matchedCount === wrong.length
  } catch (error) {
    if (!isDuplicateKey(error)) throw error
    return false
  }
}
