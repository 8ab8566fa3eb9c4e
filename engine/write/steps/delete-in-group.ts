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

/** A delete without a condition; what it refers to is taken out by whoever looks at its note. */
export type GroupedDelete = Noted &
  Readonly<{
    plan: Omit<DeletePlan, 'ifRevision' | 'ifUpdatedAt'>
    /** Whether other locales of the document may be left. */
    localized: boolean
    time: WriteTime | undefined
  }>

/** `left`: of a document that is there in other locales. Undefined where nothing was done. */
type Grouped = 'gone' | 'left' | undefined

/**
 * Deletes documents of several requests in one transaction: the steps of each are the same as in one of its own
 * (docs/storage.md, "Several writes in one transaction").
 * @throws what the database says where nobody knows whether it was done
 */
export function deleteInGroup(unit: UnitOfWork, asked: GroupedDelete): Promise<Grouped> {
  const { collections, locale } = asked.plan
  const name = `delete together ${locale ?? 'null'} in ${collections.join(' ')}`
  const remove = combine<GroupedDelete, Grouped>(unit, name, deleteAll, {
    maxKeys: maxWrites,
    // Those of localized types meet at what they claim.
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
    // In a transaction its own commands go together, as those of several requests do elsewhere.
    await Promise.all(asked.map(({ plan }) => executeDelete(together, plan)))
    left = await Promise.all(documentIds.map((id) => exists(together, authority, id)))
    return true
  }
  const isDone = await tryTogether(unit, attempt, timeOf(asked))
  return asked.map((_, at) => (isDone ? (left[at] === true ? 'left' : 'gone') : undefined))
}
