import type { UnitOfWork } from '../database/unit-of-work.js'
import { componentSequence, takeIds, takerOf } from '../database/take-ids.js'
import { collectionsOf } from '../schema/content-type.js'
import type { Body } from './body/read-body.js'
import type { FindTarget } from './body/targets.js'
import type { Change, InverseChange, PendingEdge } from './change/change.js'
import { countComponents } from './change/components.js'
import { connectingTime } from './change/inverse-orders.js'
import { changeInverse, inverseWrites } from './change/inverse-relations.js'
import { groupPending, publishPending } from './change/pending-edges.js'
import type { OpenSave } from './change/resolve-change.js'
import { resolveChange } from './change/resolve-change.js'
import { findPendingOwners } from './find-pending-owners.js'
import type { SaveInput } from './save-input.js'
import { findOwners } from './steps/lookups.js'
import { storedTypesOf } from '../schema/whole-types.js'

/**
 * What a write changes: of its own document, and of the owners whose relations are written from their other side.
 * @param value the body as the rules left it
 * @param hashes of the body's passwords
 */
export async function decideChange(
  unit: UnitOfWork,
  input: SaveInput,
  open: OpenSave,
  value: Body,
  hashes: ReadonlyMap<string, string>,
): Promise<Change> {
  const { db, type, registry } = input
  const now = Date.now()
  const connectedAt = connectingTime(now)
  const count = countComponents(type, value, registry)
  const takeComponentId = takerOf(await takeIds(db, componentSequence, count))
  const written = await decideInverse(unit, input, open.request.find, connectedAt)
  const pending = input.publish ? (open.before?._pending ?? []) : []
  const inverse = [...written, ...(await decidePending(unit, input, pending, written))]
  return resolveChange(open, value, inverse, { hashes, takeComponentId, now, connectedAt })
}

async function decideInverse(
  unit: UnitOfWork,
  { type, registry, documentId, locale, targetLocale, body }: SaveInput,
  find: FindTarget,
  connectedAt: number,
): Promise<readonly InverseChange[]> {
  const writes = inverseWrites(body, { type, registry, documentId, locale, targetLocale })
  return Promise.all(
    writes.map(async (write) => {
      const { owner, counterpart } = write
      const [drafts = [], published] = await Promise.all(
        collectionsOf(owner).map((collection) =>
          findOwners(unit, collection, counterpart, write.locale, documentId),
        ),
      )
      return changeInverse(write, drafts, published, find, connectedAt)
    }),
  )
}

/** What earlier draft writes of inverse relations mean for the published owners now. */
async function decidePending(
  unit: UnitOfWork,
  { registry, documentId }: SaveInput,
  pending: readonly PendingEdge[],
  written: readonly InverseChange[],
): Promise<readonly InverseChange[]> {
  const groups = groupPending(pending, storedTypesOf(registry).contentTypes)
  const owners = await findPendingOwners(unit, groups, documentId)
  return groups.map((group, at) => {
    const { drafts = [], published = [] } = owners[at] ?? {}
    const now = written.find(
      ({ attribute, locale }) => attribute === group.attribute && locale === group.locale,
    )
    const orders = new Map(drafts.map(({ documentId, order }) => [documentId, order]))
    return publishPending(group, now?.drafts.orders ?? orders, published)
  })
}
