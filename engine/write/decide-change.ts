import type { UnitOfWork } from '../database/unit-of-work.js'
import { componentSequence, takeIds, takerOf } from '../database/take-ids.js'
import type { Body } from './body/read-body.js'
import type { FindTarget } from './body/targets.js'
import { type Change, type InverseChange, ordersOf, type OwningRelation } from './change/change.js'
import { countComponents } from './change/store-structure.js'
import { connectingTime } from './change/inverse-orders.js'
import { changeInverse, inverseWrites } from './change/inverse-relations.js'
import type { PendingGroup } from './change/pending-edges.js'
import { groupPending, publishPending } from './change/pending-edges.js'
import type { OpenSave } from './change/resolve-change.js'
import { resolveChange } from './change/resolve-change.js'
import { findOwners } from './load/lookups.js'
import { refuseLocked, type SaveInput } from './write-context.js'
import { storedTypesOf } from '../schema/whole-types.js'

/**
 * Determines all changes of a write: of the document, and of the owners of relations edited from the inverse side.
 * @param hashes hashes of the passwords in the body, by password
 */
export async function decideChange(
  unit: UnitOfWork,
  input: SaveInput,
  open: OpenSave,
  value: Body,
  hashes: ReadonlyMap<string, string>,
): Promise<Change> {
  const { db, type, registry, locked } = input
  const now = Date.now()
  const connectedAt = connectingTime(now)
  const count = countComponents(type, value, registry)
  const takeComponentId = takerOf(await takeIds(db, componentSequence, count))
  const pending = groupPending(
    input.publish ? (open.before?._pending ?? []) : [],
    storedTypesOf(registry).contentTypes,
  )
  for (const { owner } of pending) refuseLocked(locked, owner.uid)
  const written = await decideInverse(unit, input, pending, open.request.find, connectedAt)
  const left = pending.filter((group) => !written.some((change) => isOf(group, change)))
  const inverse = [...written, ...(await decidePending(unit, input, left))]
  return resolveChange(open, value, inverse, { hashes, takeComponentId, now, connectedAt })
}

async function decideInverse(
  unit: UnitOfWork,
  { type, registry, locked, documentId, locale, targetLocale, body }: SaveInput,
  pending: readonly PendingGroup[],
  find: FindTarget,
  connectedAt: number,
): Promise<readonly InverseChange[]> {
  const writes = inverseWrites(body, { type, registry, documentId, locale, targetLocale })
  const changes = await Promise.all(
    writes.map(async (write) => {
      const { owner, inverseSide: attribute, locales } = write
      refuseLocked(locked, owner.uid)
      const owners = locales.map(async (locale) => {
        const found = await findOwners(unit, { owner, attribute, locale }, documentId)
        const { edges = [] } =
          pending.find((group) => isOf(group, { owner, attribute, locale })) ?? {}
        return { locale, ...found, pending: edges }
      })
      return changeInverse(write, await Promise.all(owners), find, connectedAt)
    }),
  )
  return changes.flat()
}

/** Returns the changes that apply pending edits to published owners, for relations that the body does not mention. */
function decidePending(
  unit: UnitOfWork,
  { documentId }: SaveInput,
  groups: readonly PendingGroup[],
): Promise<readonly InverseChange[]> {
  return Promise.all(
    groups.map(async (group) => {
      const { drafts, published = [] } = await findOwners(unit, group, documentId)
      return publishPending(group, ordersOf(drafts), published)
    }),
  )
}

const isOf = (group: PendingGroup, { owner, attribute, locale }: OwningRelation): boolean =>
  group.owner.uid === owner.uid &&
  group.attribute.storedAs === attribute.storedAs &&
  group.locale === locale
