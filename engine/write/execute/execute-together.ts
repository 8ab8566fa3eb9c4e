import type { SavePlan } from '../plan/write-plan.js'
import { refusedIndex } from '../../database/duplicate-key.js'
import type { UnitOfWork } from '../../database/unit-of-work.js'
import { asStored } from './insert-version.js'
import type { Held } from './execute-main.js'
import { atOnce, executeMain, forgetPending, withHeld, writtenMain } from './execute-main.js'
import { claim, claimsOf } from './claim.js'
import { maxTogether } from './execute-delete.js'
import { takeFirst, takeOver } from './execute-exclusive.js'
import { executeLocales } from './execute-shared.js'
import { executeOwner } from './execute-owners.js'
import { executePublication } from './execute-publication.js'
import type { SaveResult } from './save-result.js'
import { refusalOf } from './save-result.js'

/**
 * Executes the steps of a create, update or publish request in a transaction (docs/internals/storage.md,
 * "Transactions"). Unlike `executeOneByOne`, it leaves out no relations, and restores nothing after a rejection.
 */
export async function executeTogether(unit: UnitOfWork, plan: SavePlan): Promise<SaveResult> {
  try {
    return await takeSteps(unit, atOnce(plan))
  } catch (error) {
    const refused = refusedIndex(error)
    if (refused === undefined) throw error
    return refusalOf(refused)
  }
}

const isLast = false

/** Whether the transaction executes all steps. Otherwise the owners are written after it. */
export const isWhole = (unit: UnitOfWork, { owners }: SavePlan): boolean =>
  unit.isTransaction && owners.length <= maxTogether

async function takeSteps(unit: UnitOfWork, plan: SavePlan): Promise<SaveResult> {
  const { main, publication, owners, merges, now } = plan
  await claim(unit, claimsOf(plan))
  const held = heldOf(await takeFirst(unit, plan.releases, now))
  const refused = await executeMain(unit, plan, held, isLast)
  if (refused !== undefined) return refusalOf(refused)

  const isKnown = publication === null && held.names.length === 0
  const written = { id: main.id, revision: plan.revision }
  let result: SavedVersion = isKnown ? { ...written, stored: asStored(writtenMain(main)) } : written
  if (publication !== null) {
    const kept = heldOf(await takeFirst(unit, publication.releases, now))
    const { fields, difference } = publication
    const left = {
      ...publication,
      fields: withHeld(fields, kept),
      difference: difference === null ? null : withHeld(difference, kept),
    }
    const published = await executePublication(unit, left, plan, isLast)
    if (published === 'late') return { kind: 'stale' }
    result = published
  }
  const taken = await executeLocales(unit, plan, () => isLast)
  if (taken !== undefined) return refusalOf(taken)

  let revision = await takeOver(unit, plan, plan.releases, [], {})
  if (publication !== null) revision = await takeOver(unit, plan, publication.releases, [], {})
  await finishOwners(unit, plan)
  // If later steps may have changed the version again, `result.stored` is outdated.
  const isWhole = revision === undefined && merges.length === 0 && owners.length === 0
  return {
    kind: 'saved',
    id: result.id,
    revision: revision ?? result.revision,
    stored: isWhole ? result.stored : undefined,
  }
}

type SavedVersion = Readonly<{ id: number; revision: number; stored?: Uint8Array }>

/** Writes the owners, after the transaction if there are too many, then deletes the pending edits. */
async function finishOwners(unit: UnitOfWork, plan: SavePlan): Promise<void> {
  const finish = async (by: UnitOfWork): Promise<void> => {
    for (const [at, owner] of plan.owners.entries())
      await executeOwner(by, owner, plan.now, at === plan.owners.length - 1)
    if (plan.settles) await forgetPending(by, plan)
  }
  await (isWhole(unit, plan) ? finish(unit) : unit.afterwards(finish))
}

const heldOf = (names: readonly string[]): Held => ({ names, hold: 'nothing' })
