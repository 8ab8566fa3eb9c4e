import type { AnyBulkWriteOperation, Db, Document } from 'mongodb'
import { writeConcern } from '../database/durability.js'
import { isMarked, mayBeShown, modifiedField } from '../values/modified.js'
import type { VersionKey } from '../values/stored-types.js'
import { versionKeyText } from '../values/stored-types.js'
import type { VersionsCheck } from './plan-repair.js'
import type { Only } from './repairing.js'

type Draft = Document &
  VersionKey &
  Readonly<{ _id: number; updatedAt: Date; _revision?: number | null }>

/** What some drafts were found to be. */
export type Marked = Readonly<{
  /** How many were looked at, and the record id of the last. */
  count: number
  last: number | undefined
  /** documentIds of those that were modified, and not marked. */
  missing: readonly string[]
}>

/** A draft that is written this often while it is marked is written by somebody who marks it. */
const maxAttempts = 100

/**
 * Makes the marks of some drafts right, in the order of their ids (docs/storage.md, "Modified drafts"). Each is changed
 * only while it is as it was read; one that lacks its mark and was written since is read again, because not every writer
 * puts it there. Its revision does not rise: what it says is the same.
 * @param only of these documents
 * @param after record id behind which they are; undefined = from the first on
 * @param mends false = look only
 */
export async function markDrafts(
  db: Db,
  check: Pick<VersionsCheck, 'drafts' | 'published'>,
  {
    only = {},
    after,
    limit,
    mends,
  }: Readonly<{ only?: Only; after: number | undefined; limit: number; mends: boolean }>,
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
  let missing = mends ? first.missing : []
  for (let attempt = 1; missing.length > 0; attempt += 1) {
    if (attempt > maxAttempts) throw new Error(`Drafts in ${check.drafts} change all the time`)
    const update = { $set: { [modifiedField]: true } }
    if ((await write(db, check.drafts, missing, update)) === missing.length) break
    const again = await readDrafts({ _id: { $in: missing.map(({ _id }) => _id) } })
    missing = (await compareDrafts(db, check.published, again)).missing
  }
  // One that is written meanwhile is left to its writer, or to the next look.
  if (mends && first.needless.length > 0)
    await write(db, check.drafts, first.needless, { $unset: { [modifiedField]: '' } })
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

/** `missing`: those that are to be marked and are not. `needless`: those that agree with what is published. */
async function compareDrafts(
  db: Db,
  published: string,
  drafts: readonly Draft[],
): Promise<Readonly<{ missing: readonly Draft[]; needless: readonly Draft[] }>> {
  if (drafts.length === 0) return { missing: [], needless: [] }
  // After the drafts: what is published behind them was begun by a writer of one of them, or of one that follows it.
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
      ? mayBeShown(draft, undefined)
      : draft.updatedAt > version.updatedAt
  }
  return {
    missing: drafts.filter((draft) => !isMarked(draft) && mayDiffer(draft)),
    needless: drafts.filter((draft) => isMarked(draft) && !mayDiffer(draft)),
  }
}

/** @returns how many were as they were read */
async function write(
  db: Db,
  collection: string,
  drafts: readonly Draft[],
  update: Document,
): Promise<number> {
  const operations = drafts.map(({ _id, _revision }): AnyBulkWriteOperation<Draft> => ({
    // Null is that of a version that has none.
    updateOne: { filter: { _id, _revision: _revision ?? null }, update },
  }))
  const options = { ordered: false, ...(await writeConcern(db, false)) }
  return (await db.collection<Draft>(collection).bulkWrite(operations, options)).matchedCount
}
