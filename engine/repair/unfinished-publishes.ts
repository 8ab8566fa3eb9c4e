import type { VersionsCheck } from './plan-repair.js'
import type { DocumentFilter, Repairing } from './repairing.js'
import { batches } from './repairing.js'
import { writeConcern } from '../database/durability.js'
import type { VersionKey } from '../values/stored-types.js'

/** A draft whose `_pending` edits were not yet applied to the published owners of its inverse relations. */
export type UnfinishedPublish<Edge> = VersionKey &
  Readonly<{ _id: number; _settling: number; _pending?: readonly Edge[] }>

/** Finds drafts with unfinished publishes. Skips drafts whose published version was never written. */
export async function* findSettling<Edge>(
  repairing: Repairing,
  { drafts, published }: VersionsCheck,
  only: DocumentFilter = {},
): AsyncGenerator<UnfinishedPublish<Edge>> {
  const { db } = repairing
  const cursor = db
    .collection(drafts)
    .find<UnfinishedPublish<Edge>>(
      { ...only, _settling: { $gt: 0 } },
      { projection: { documentId: 1, locale: 1, _settling: 1, _pending: 1 } },
    )
    .sort({ _id: 1 })
  for await (const batch of batches(cursor, repairing))
    for (const draft of batch) {
      const { documentId, locale, _settling } = draft
      const live = await db
        .collection(published)
        .findOne({ documentId, locale, _publishedFrom: { $gte: _settling } })
      if (live !== null) yield draft
    }
}

/** Deletes the applied pending edits of a draft, unless a later write has changed `_settling`. */
export async function forgetPending(
  { db }: Repairing,
  drafts: string,
  { _id, _settling }: UnfinishedPublish<unknown>,
): Promise<void> {
  await db
    .collection<{ _id: number; _settling: number; _pending: unknown }>(drafts)
    .updateOne(
      { _id, _settling },
      { $unset: { _pending: '', _settling: '' } },
      await writeConcern(db, true),
    )
}
