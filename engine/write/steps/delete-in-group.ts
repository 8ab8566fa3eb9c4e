import type { UnitOfWork } from '../../database/unit-of-work.js'
import { tryTogether } from '../../database/unit-of-work.js'
import type { WriteTime } from '../write-time.js'
import { claimLocales } from './claim.js'
import { combine } from './combine.js'
import { executeDelete, exists } from './execute-delete.js'
import { maxWrites, transactionsAtOnce, timeOf } from './execute-in-group.js'
import type { DeletePlan } from './plan-delete.js'
import type { Noted } from './record-underway.js'
import { recordAllUnderway } from './record-underway.js'

/** A delete without a condition. The reader of the in-flight log removes the references to its document. */
export type GroupedDelete = Noted &
  Readonly<{
    plan: Omit<DeletePlan, 'ifRevision' | 'ifUpdatedAt'>
    /** Whether the document may have other locales left. */
    localized: boolean
    time: WriteTime | undefined
  }>

/** `left`: the document still exists in other locales. Undefined if nothing was done. */
type Grouped = 'gone' | 'left' | undefined

/**
 * Deletes documents of several requests in one transaction, each by the same steps as in its own (docs/storage.md,
 * "Several writes in one transaction").
 * @throws the error of the database if the outcome is unknown
 */
export function deleteInGroup(unit: UnitOfWork, asked: GroupedDelete): Promise<Grouped> {
  const { collections, locale } = asked.plan
  const name = `delete together ${locale ?? 'null'} in ${collections.join(' ')}`
  const remove = combine<GroupedDelete, Grouped>(unit, name, deleteAll, {
    maxKeys: maxWrites,
    // Deletes of localized types conflict on their claims.
    atOnce: asked.localized ? 1 : transactionsAtOnce,
  })
  return remove(asked)
}

async function deleteAll(
  asked: readonly GroupedDelete[],
  unit: UnitOfWork,
): Promise<readonly Grouped[]> {
  let left: readonly boolean[] = []
  const attempt = async (together: UnitOfWork): Promise<boolean> => {
    const [{ plan, localized }] = asked as [GroupedDelete]
    const [authority = ''] = plan.collections
    const documentIds = asked.map(({ plan }) => plan.documentId)
    if (localized) await claimLocales(together, authority, documentIds)
    await recordAllUnderway(together, asked)
    // `combine` also joins the commands of one transaction.
    await Promise.all(asked.map(({ plan }) => executeDelete(together, plan)))
    left = await Promise.all(documentIds.map((id) => exists(together, authority, id)))
    return true
  }
  const isDone = await tryTogether(unit, attempt, timeOf(asked))
  return asked.map((_, at) => (isDone ? (left[at] === true ? 'left' : 'gone') : undefined))
}
