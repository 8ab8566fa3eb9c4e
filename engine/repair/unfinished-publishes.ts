import type { Db } from 'mongodb'
import { oneByOne } from '../database/unit-of-work.js'
import { type Registry, typeOf } from '../schema/registry.js'
import { storedTypesOf } from '../schema/whole-types.js'
import type { VersionKey } from '../values/stored-types.js'
import { ordersOf, type PendingEdge } from '../write/change/change.js'
import { groupPending, publishPending } from '../write/change/pending-edges.js'
import { forgetPending } from '../write/execute/execute-main.js'
import { executeOwner } from '../write/execute/execute-owners.js'
import { findOwners } from '../write/load/lookups.js'
import { planPublishedOwners } from '../write/plan/plan-relations.js'
import type { VersionsCheck } from './plan-repair.js'
import { batches, type DocumentFilter, type Repairing } from './repairing.js'

/** A draft whose `_pending` edits were not yet applied to the published owners of its inverse relations. */
type UnfinishedPublish = VersionKey &
  Readonly<{ _id: number; _settling: number; _pending?: readonly PendingEdge[] }>

/** Completes unfinished publishes. Skips drafts whose published version was never written. */
export async function finishPublishes(
  repairing: Repairing,
  registry: Registry,
  check: VersionsCheck,
  only: DocumentFilter = {},
): Promise<void> {
  const { db, repairs } = repairing
  const cursor = db
    .collection(check.drafts)
    .find<UnfinishedPublish>(
      { ...only, _settling: { $gt: 0 } },
      { projection: { documentId: 1, locale: 1, _settling: 1, _pending: 1 } },
    )
    .sort({ _id: 1 })
  for await (const batch of batches(cursor, repairing))
    for (const draft of batch) {
      const { documentId, locale, _settling } = draft
      const live = await db
        .collection(check.published)
        .findOne({ documentId, locale, _publishedFrom: { $gte: _settling } })
      if (live === null) continue
      if (repairs) await finishPublish(db, registry, check, draft)
      const collection = check.drafts
      repairing.found({ kind: 'unfinished-publish', collection, documentId, repaired: repairs })
    }
}

/** Applies the draft's pending edits to the published owners of the relations. */
async function finishPublish(
  db: Db,
  registry: Registry,
  { uid, drafts }: VersionsCheck,
  draft: UnfinishedPublish,
): Promise<void> {
  const unit = oneByOne(db)
  const { documentId } = draft
  const type = typeOf(registry, uid)
  const groups = groupPending(draft._pending ?? [], storedTypesOf(registry).contentTypes)
  const changes = await Promise.all(
    groups.map(async (group) => {
      const { drafts, published = [] } = await findOwners(unit, group, documentId)
      return publishPending(group, ordersOf(drafts), published)
    }),
  )
  for (const write of planPublishedOwners({ type, documentId }, changes))
    await executeOwner(unit, write, Date.now(), true)
  await forgetPending(unit, drafts, draft, draft._settling, true)
}
