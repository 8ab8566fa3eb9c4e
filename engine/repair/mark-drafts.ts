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

/** Result of a check of some drafts. */
export type Marked = Readonly<{
  /** Number of checked drafts, and the record id of the last. */
  count: number
  last: number | undefined
  /** documentIds of the modified drafts without a mark. */
  missing: readonly string[]
}>

/** Maximum number of tries. If a draft changes more often, its writers mark it themselves. */
const maxAttempts = 100

/**
 * Corrects the marks of some drafts, in the order of their ids (docs/storage.md, "Modified drafts"). Updates a draft
 * only if it is unchanged since it was read. Reads a draft that lacks its mark again if it has changed, because not
 * every writer sets the mark. The revision does not rise, because the content stays the same.
 * @param only restricts the documents
 * @param after record id after which to begin; undefined = begin with the first draft
 * @param repairs false = only report
 */
export async function markDrafts(
  db: Db,
  check: Pick<VersionsCheck, 'drafts' | 'published'>,
  {
    only = {},
    after,
    limit,
    repairs,
  }: Readonly<{ only?: Only; after: number | undefined; limit: number; repairs: boolean }>,
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
  // If the draft has changed since it was read, its writer or the next check corrects the mark.
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

/** `missing`: drafts that lack their mark. `superfluous`: marked drafts that equal the published version. */
async function compareDrafts(
  db: Db,
  published: string,
  drafts: readonly Draft[],
): Promise<Readonly<{ missing: readonly Draft[]; superfluous: readonly Draft[] }>> {
  if (drafts.length === 0) return { missing: [], superfluous: [] }
  // Read published versions after the drafts, so that each comes from the writer of one of these drafts or of a later
  // draft.
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
    superfluous: drafts.filter((draft) => isMarked(draft) && !mayDiffer(draft)),
  }
}

/** Updates drafts that are unchanged since they were read. Returns their number. */
async function write(
  db: Db,
  collection: string,
  drafts: readonly Draft[],
  update: Document,
): Promise<number> {
  const operations = drafts.map(({ _id, _revision }): AnyBulkWriteOperation<Draft> => ({
    // Null matches a version without revision.
    updateOne: { filter: { _id, _revision: _revision ?? null }, update },
  }))
  const options = { ordered: false, ...(await writeConcern(db, false)) }
  return (await db.collection<Draft>(collection).bulkWrite(operations, options)).matchedCount
}
