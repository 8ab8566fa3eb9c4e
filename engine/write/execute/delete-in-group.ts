import type { UnitOfWork } from '../../database/unit-of-work.js'
import { tryTogether } from '../../database/unit-of-work.js'
import type { WriteTime } from '../../write-time.js'
import { claimLocales } from './claim.js'
import { combine } from '../load/combine.js'
import { executeDelete, exists } from './execute-delete.js'
import { maxWrites, transactionsAtOnce, timeOf } from './execute-in-group.js'
import type { DeletePlan } from '../plan/plan-delete.js'
import type { JournaledWrite } from './record-in-flight.js'
import { recordAllInFlight } from './record-in-flight.js'

/**
 * A delete without `ifRevision` and `ifUpdatedAt`. References to the document are removed later, by a repair that reads
 * `AffectedData`.
 */
export type GroupedDelete = JournaledWrite &
  Readonly<{
    plan: Omit<DeletePlan, 'ifRevision' | 'ifUpdatedAt'>
    /** Whether the document may exist in other locales. */
    localized: boolean
    time: WriteTime | undefined
  }>

/** `gone`: no version is left. `left`: other locales exist. Undefined: nothing was deleted. */
type Grouped = 'gone' | 'left' | undefined

/**
 * Deletes a document in one transaction with deletes of other requests (docs/internals/storage.md, "Several writes in
 * one transaction").
 * @throws the error of the database if the outcome is unknown
 */
export function deleteInGroup(unit: UnitOfWork, request: GroupedDelete): Promise<Grouped> {
  const { collections, locale } = request.plan
  const name = `delete together ${locale ?? 'null'} in ${collections.join(' ')}`
  const remove = combine<GroupedDelete, Grouped>(unit, name, deleteAll, {
    maxKeys: maxWrites,
    // Concurrent deletes of localized types would conflict on their claims.
    atOnce: request.localized ? 1 : transactionsAtOnce,
  })
  return remove(request)
}

async function deleteAll(
  requests: readonly GroupedDelete[],
  unit: UnitOfWork,
): Promise<readonly Grouped[]> {
  let left: readonly boolean[] = []
  const attempt = async (together: UnitOfWork): Promise<boolean> => {
    const [{ plan, localized }] = requests as [GroupedDelete]
    const [authority = ''] = plan.collections
    const documentIds = requests.map(({ plan }) => plan.documentId)
    if (localized) await claimLocales(together, authority, documentIds)
    await recordAllInFlight(together, requests)
    // `combine` turns these concurrent deletes into shared commands.
    await Promise.all(requests.map(({ plan }) => executeDelete(together, plan)))
    left = await Promise.all(documentIds.map((id) => exists(together, authority, id)))
    return true
  }
  const isDone = await tryTogether(unit, attempt, timeOf(requests))
  return requests.map((_, at) => (isDone ? (left[at] === true ? 'left' : 'gone') : undefined))
}
