import type { Db, Document } from 'mongodb'
import { writeConcern } from './database/durability.js'
import { takeIds, takerOf } from './database/take-ids.js'
import { collectionOf, collectionsOf, type ContentType } from './schema/content-type.js'
import type { Registry } from './schema/registry.js'
import { versionKeyText, type VersionKey } from './values/stored-types.js'
import { uniquesField } from './values/unique-list.js'

/** How to convert the entries of a type to its new definition. */
export type EntryConversion = Readonly<{
  type: ContentType
  /** Whether to create a draft of every version. */
  drafts: boolean
  /** The locale to set in versions that have none; null to set none. */
  locale: string | null
}>

type Options = Readonly<{
  db: Db
  registry: Registry
  /** Called before each batch is written. Throws if another process now holds the lease for applying definitions. */
  check: () => Promise<void>
  /** Called after each batch with the number of versions read so far. */
  progress: (collection: string, count: number) => void
}>

type Version = VersionKey & Readonly<{ _id: number; _revision?: number; _publishedFrom?: number }>

const batchSize = 500

/**
 * Converts entries in batches. An interrupted conversion can be repeated (docs/internals/storage.md, "Converting
 * entries"). Writes to the entries are refused until all of them are converted.
 * @returns the number of changed versions. Background work may change entries meanwhile, so call this function again
 * until it returns 0
 */
export async function convertEntries(
  { type, drafts, locale }: EntryConversion,
  options: Options,
): Promise<number> {
  let changed = 0
  if (locale !== null) {
    for (const collection of collectionsOf(type))
      changed += await inBatches(collection, options, (versions) =>
        giveLocale(options.db, { collection, locale }, versions),
      )
    await givePendingLocale(type, locale, options)
  }
  if (drafts)
    changed += await inBatches(collectionOf(type, 'published'), options, (versions) =>
      giveDrafts(options.db, type, versions),
    )
  return changed
}

/** Calls `convert` for batches of versions, ordered by record id, and adds up its results. */
async function inBatches(
  collection: string,
  { db, check, progress }: Options,
  convert: (versions: readonly Version[]) => Promise<number>,
): Promise<number> {
  let changed = 0
  let count = 0
  for (let after = -Infinity; ;) {
    const versions = await db
      .collection<Version>(collection)
      .find({ _id: { $gt: after } }, { projection: shown, readPreference: 'primary' })
      .sort({ _id: 1 })
      .limit(batchSize)
      .toArray()
    const last = versions.at(-1)
    if (last === undefined) return changed
    await check()
    changed += await convert(versions)
    count += versions.length
    progress(collection, count)
    after = last._id
  }
}

const shown = { documentId: 1, locale: 1, _revision: 1, _publishedFrom: 1 }

async function giveLocale(
  db: Db,
  { collection, locale }: Readonly<{ collection: string; locale: string }>,
  versions: readonly Version[],
): Promise<number> {
  const without = versions.filter((version) => (version.locale ?? null) === null)
  if (without.length === 0) return 0
  await db
    .collection<Version>(collection)
    .updateMany(
      { _id: { $in: without.map(({ _id }) => _id) }, locale: null },
      { $set: { locale } },
      await writeConcern(db, true),
    )
  return without.length
}

/** Sets the locale in pending edits (`PendingEdge`) that drafts of other types store for entries of this type. */
async function givePendingLocale(
  { uid }: ContentType,
  locale: string,
  { db, registry, check }: Options,
): Promise<void> {
  for (const other of registry.contentTypes.values()) {
    const isInverse = [...other.attributes.values()].some(
      (attribute) => attribute.type === 'relation' && !attribute.owner && attribute.target === uid,
    )
    if (!isInverse || !other.draftAndPublish) continue
    await check()
    await db.collection(collectionOf(other, 'draft')).updateMany(
      { _pending: { $elemMatch: { owner: uid, locale: null } } },
      // Increment the revision, so that concurrent writes detect the change.
      { $set: { '_pending.$[edge].locale': locale }, $inc: { _revision: 1 } },
      {
        arrayFilters: [{ 'edge.owner': uid, 'edge.locale': null }],
        ...(await writeConcern(db, true)),
      },
    )
  }
}

/**
 * Makes each version the published version of its entry, and copies it to the draft. If there was no draft, the new one
 * gets a new record id.
 */
async function giveDrafts(
  db: Db,
  type: ContentType,
  versions: readonly Version[],
): Promise<number> {
  const published = db.collection<Version>(collectionOf(type, 'published'))
  const into = collectionOf(type, 'draft')
  const drafts = await db
    .collection<Version>(into)
    .find(
      { documentId: { $in: versions.map(({ documentId }) => documentId) } },
      { projection: shown, readPreference: 'primary' },
    )
    .toArray()
  const known = new Map(drafts.map((draft) => [versionKeyText(draft), draft]))
  const open = versions.filter((version) => {
    const from = version._publishedFrom
    const draft = known.get(versionKeyText(version))
    // A version whose draft is at least as new is already converted.
    return from === undefined || from !== version._revision || (draft?._revision ?? -1) < from
  })
  if (open.length === 0) return 0
  const ids = open.map(({ _id }) => _id)
  const concern = await writeConcern(db, true)
  await published.updateMany(
    { _id: { $in: ids } },
    [
      {
        $set: {
          _revision: { $ifNull: ['$_revision', 1] },
          publishedAt: { $ifNull: ['$publishedAt', '$createdAt'] },
        },
      },
      { $set: { _publishedFrom: '$_revision' } },
    ],
    concern,
  )
  const isKnown = (version: Version): boolean => known.has(versionKeyText(version))
  const take = takerOf(await takeIds(db, type.uid, open.length - open.filter(isKnown).length))
  const draftIds = open.map((version) => known.get(versionKeyText(version))?._id ?? take())
  // Copy inside the database, so that every value keeps its BSON type.
  await published.aggregate(copyTo(into, ids, draftIds), concern).toArray()
  return open.length
}

/** Returns the pipeline that copies published versions to drafts, except to drafts that are at least as new. */
function copyTo(into: string, ids: readonly unknown[], draftIds: readonly unknown[]): Document[] {
  const place = { $indexOfArray: [{ $literal: ids }, '$_id'] }
  const isNewer = { $gt: ['$$new._revision', '$_revision'] }
  return [
    { $match: { _id: { $in: ids } } },
    {
      $set: {
        _id: { $arrayElemAt: [{ $literal: draftIds }, place] },
        publishedAt: null,
        _revision: '$_publishedFrom',
      },
    },
    { $unset: ['_publishedFrom', uniquesField] },
    {
      $merge: {
        into,
        whenMatched: [{ $replaceWith: { $cond: [isNewer, '$$new', '$$ROOT'] } }],
        whenNotMatched: 'insert',
      },
    },
  ]
}
