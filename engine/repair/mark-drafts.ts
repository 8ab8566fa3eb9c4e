import type { AnyBulkWriteOperation, Db, Document } from 'mongodb'
import { writeConcern } from '../database/durability.js'
import { isMarked, mayDifferFromPublished, modifiedField } from '../values/modified.js'
import { type VersionKey, versionKeyText } from '../values/stored-types.js'
import type { VersionsCheck } from './plan-repair.js'
import type { DocumentFilter, Repairing } from './repairing.js'

type Draft = Document &
  VersionKey &
  Readonly<{ _id: number; updatedAt: Date; _revision?: number | null }>

/** Result of checking one batch of drafts. */
type Marked = Readonly<{
  /** Number of checked drafts. `last` is the record id of the last one. */
  count: number
  last: number | undefined
  /** documentIds of modified drafts without the mark. */
  missing: readonly string[]
}>

/** Writes that change a draft after it was read cause retries. */
const maxAttempts = 100

/**
 * Corrects the `_modified` mark of one batch of drafts, ordered by record id (docs/internals/storage.md, "Modified
 * drafts"). Updates only drafts that have not changed since they were read, and keeps their revision.
 * @param only filter for the documents to check
 * @param after record id after which the batch begins
 * @param repairs false = only report
 */
async function markDrafts(
  db: Db,
  check: Pick<VersionsCheck, 'drafts' | 'published'>,
  {
    only,
    after,
    limit,
    repairs,
  }: Readonly<{
    only: DocumentFilter
    after: number | undefined
    limit: number
    repairs: boolean
  }>,
): Promise<Marked> {
  const drafts = db.collection<Draft>(check.drafts)
  const readDrafts = (filter: Document) =>
    drafts
      .find({ ...only, ...filter }, { projection: compared })
      .sort({ _id: 1 })
      .limit(limit)
      .toArray()
  const read = await readDrafts(after === undefined ? {} : { _id: { $gt: after } })
  const first = await compareDrafts(db, check.published, read)
  let missing = repairs ? first.missing : []
  for (let attempt = 1; missing.length > 0; attempt += 1) {
    if (attempt > maxAttempts) throw new Error(`Drafts in ${check.drafts} change all the time`)
    const update = { $set: { [modifiedField]: true } }
    if ((await write(db, check.drafts, missing, update)) === missing.length) break
    const again = await readDrafts({ _id: { $in: missing.map(({ _id }) => _id) } })
    missing = (await compareDrafts(db, check.published, again)).missing
  }
  // Skips drafts that have changed since they were read. The other write, or the next check, corrects their mark.
  if (repairs && first.superfluous.length > 0)
    await write(db, check.drafts, first.superfluous, { $unset: { [modifiedField]: '' } })
  return {
    count: read.length,
    last: read.at(-1)?._id,
    missing: first.missing.map(({ documentId }) => documentId),
  }
}

const compared = {
  documentId: 1,
  locale: 1,
  updatedAt: 1,
  [modifiedField]: 1,
  _revision: 1,
  _publishing: 1,
  _unpublishedFrom: 1,
} as const

/** `missing`: modified drafts without the mark. `superfluous`: marked drafts that equal their published version. */
async function compareDrafts(
  db: Db,
  published: string,
  drafts: readonly Draft[],
): Promise<Readonly<{ missing: readonly Draft[]; superfluous: readonly Draft[] }>> {
  if (drafts.length === 0) return { missing: [], superfluous: [] }
  // Read the published versions last, so that each was made from the draft as it was read, or from a later one.
  const found = await db
    .collection<Draft>(published)
    .find(
      { documentId: { $in: drafts.map(({ documentId }) => documentId) } },
      { projection: { documentId: 1, locale: 1, updatedAt: 1 } },
    )
    .toArray()
  const versions = new Map(found.map((version) => [versionKeyText(version), version]))
  const mayDiffer = (draft: Draft): boolean => {
    const version = versions.get(versionKeyText(draft))
    return version === undefined
      ? mayDifferFromPublished(draft, undefined)
      : draft.updatedAt > version.updatedAt
  }
  return {
    missing: drafts.filter((draft) => !isMarked(draft) && mayDiffer(draft)),
    superfluous: drafts.filter((draft) => isMarked(draft) && !mayDiffer(draft)),
  }
}

/** Updates the drafts that have not changed since they were read, and returns their number. */
async function write(
  db: Db,
  collection: string,
  drafts: readonly Draft[],
  update: Document,
): Promise<number> {
  const operations = drafts.map(({ _id, _revision }): AnyBulkWriteOperation<Draft> => ({
    updateOne: { filter: { _id, _revision: _revision ?? null }, update },
  }))
  const options = { ordered: false, ...(await writeConcern(db, false)) }
  return (await db.collection<Draft>(collection).bulkWrite(operations, options)).matchedCount
}

const batchSize = 500

/**
 * Marks modified drafts that lack the mark, and silently removes superfluous marks (docs/internals/storage.md,
 * "Modified drafts"). A mark can be missing if writes of several processes conflicted and one was interrupted.
 */
export async function repairMarks(
  { db, repairs, found, pause }: Repairing,
  check: VersionsCheck,
  only: DocumentFilter = {},
): Promise<void> {
  let after: number | undefined
  do {
    const options = { only, after, limit: batchSize, repairs }
    const { count, last, missing } = await markDrafts(db, check, options)
    for (const documentId of missing)
      found({ kind: 'unmarked', collection: check.drafts, documentId, repaired: repairs })
    after = count < batchSize ? undefined : last
    await pause()
  } while (after !== undefined)
}
