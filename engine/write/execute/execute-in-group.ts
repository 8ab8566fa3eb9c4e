import type { AnyBulkWriteOperation } from 'mongodb'
import { type UnitOfWork, tryTogether } from '../../database/unit-of-work.js'
import type { WriteTime } from '../../write-time.js'
import { claim, claimsOf, claimLocales } from './claim.js'
import { combine } from '../load/combine.js'
import { atOnce, mainStep, writtenMain, type SaveResult } from './execute-main.js'
import { afterDifference, asReadStep, insertedPublication } from './execute-publication.js'
import { groupBy } from '../../values/batches.js'
import { asStored, operationOf, type Stored, type VersionStep } from './write-version.js'
import { sharedStep } from './execute-shared.js'
import type { AffectedData, Publication, SavePlan } from '../plan/write-plan.js'
import type { Fields } from '../../values/stored-types.js'
import { exists } from '../load/lookups.js'
import { executeDelete } from './execute-delete.js'
import type { DeletePlan } from '../plan/plan-removal.js'
import { recordAllInFlight, type WriteJournal } from './record-in-flight.js'

/** Writes per transaction. */
const maxWrites = 50
/** Number of concurrent transactions. With only one, even a few writers would have to wait for each other. */
const transactionsAtOnce = 4

/**
 * Whether a save only writes its own document, and only overwrites unchanged versions in its locale. It then needs no
 * queries within its transaction (docs/internals/storage.md, "Several writes in one transaction").
 */
export function isSelfContained({
  releases,
  publication,
  joins,
  merges,
  owners,
  settles,
  claims,
}: SavePlan): boolean {
  const others = [releases, merges, owners].some((steps) => steps.length > 0)
  return !others && joins !== true && !settles && claims === undefined && isGuarded(publication)
}

function isGuarded(publication: Publication | null): boolean {
  if (publication === null) return true
  const { releases, conditional, previous, difference } = publication
  if (releases.length > 0 || conditional) return false
  return previous === null || difference !== null
}

/** Undefined if nothing was written, because one of the writes made the transaction fail. */
type Grouped = Extract<SaveResult, { kind: 'saved' }> | undefined

/**
 * Executes a self-contained save in one transaction with saves of other requests, which takes fewer commands and
 * commits, and waits for the majority less often.
 * @param time its `begin` is called before the commit is sent
 * @throws the error of the database if the outcome is unknown
 */
export function executeInGroup(
  unit: UnitOfWork,
  plan: SavePlan,
  time: WriteTime | undefined,
): Promise<Grouped> {
  const isShared = plan.shared.length > 0
  const name = `save ${isShared ? 'shared ' : ''}in ${plan.main.collection}`
  const save = combine<SaveInGroup, Grouped>(unit, name, saveAll, {
    maxKeys: maxWrites,
    // Saves of shared values claim documents, so concurrent transactions with such saves would fail.
    atOnce: isShared ? 1 : transactionsAtOnce,
  })
  return save({ plan, time })
}

type SaveInGroup = Readonly<{ plan: SavePlan; time: WriteTime | undefined }>

/** Time limit in milliseconds of an attempt at a write for which no client waits. `inUnit` limits all attempts. */
const untimedAttemptMs = 30_000

async function saveAll(
  requests: readonly SaveInGroup[],
  unit: UnitOfWork,
): Promise<readonly Grouped[]> {
  const plans = requests.map(({ plan }) => atOnce(plan))
  const isDone = await tryTogether(unit, (together) => writeAll(together, plans), timeOf(requests))
  return plans.map((plan) => (isDone ? savedOf(plan) : undefined))
}

/**
 * The time limit of a transaction: the longest of its writes' limits. If the time of one write is over before the
 * commit, the transaction fails.
 */
const timeOf = (requests: readonly Readonly<{ time: WriteTime | undefined }>[]) => ({
  left: (): number => Math.max(...requests.map(({ time }) => time?.left() ?? untimedAttemptMs)),
  sent: (): void => requests.forEach(({ time }) => time?.begin()),
})

type Step = Readonly<{ collection: string; operation: AnyBulkWriteOperation<Stored> }>

/** Executes the steps of all plans. Returns false if a version was changed after it was read. */
async function writeAll(unit: UnitOfWork, plans: readonly SavePlan[]): Promise<boolean> {
  await claim(unit, plans.flatMap(claimsOf))
  for (const [collection, steps] of groupBy(plans.flatMap(versionSteps), 'collection'))
    if ((await writeSteps(unit, collection, steps)) < steps.length) return false
  // Another write that has added a locale since the versions were read conflicts with this one on their claim.
  for (const [collection, shared] of groupBy(plans.flatMap(sharedSteps), 'collection'))
    await writeSteps(unit, collection, shared)
  return true
}

/** Returns how many versions were written. */
async function writeSteps(unit: UnitOfWork, name: string, steps: readonly Step[]): Promise<number> {
  const collection = unit.db.collection<Stored>(name)
  const operations = steps.map(({ operation }) => operation)
  const { insertedCount, matchedCount } = await unit.write(false, (options) =>
    collection.bulkWrite(operations, { ...options, ordered: false }),
  )
  return insertedCount + matchedCount
}

function versionSteps(plan: SavePlan): readonly Step[] {
  const { main, publication, places } = plan
  const own = { collection: main.collection, operation: operationOf(mainStep(plan)) }
  if (publication === null) return [own]
  const { collection, previous, difference } = publication
  const step: VersionStep =
    previous === null || difference === null
      ? { kind: 'insert', version: insertedPublication(publication, places) }
      : asReadStep(previous, difference, places)
  return [own, { collection, operation: operationOf(step) }]
}

const sharedSteps = (plan: SavePlan): readonly Step[] =>
  plan.shared.map((shared) => ({
    collection: shared.collection,
    operation: { updateMany: sharedStep(shared, plan) },
  }))

/** Returns the written version (the published one, if the save publishes) without reading it. */
function savedOf({ main, publication, revision, places }: SavePlan): Grouped {
  if (publication === null)
    return { kind: 'saved', id: main.id, revision, stored: asStored(writtenMain(main)) }
  const { id, previous, difference } = publication
  const version: Fields =
    previous === null || difference === null
      ? insertedPublication(publication, places)
      : afterDifference(previous, difference)
  return { kind: 'saved', id, revision: Number(version['_revision']), stored: asStored(version) }
}

/**
 * A delete without `ifRevision` and `ifUpdatedAt`. References to the document are removed later, by a repair that reads
 * `AffectedData`.
 */
type GroupedDelete = Readonly<{
  plan: Omit<DeletePlan, 'ifRevision' | 'ifUpdatedAt'>
  journal: WriteJournal
  /** Undefined if there is nothing to record. */
  affected: AffectedData | undefined
  /** Whether the document may exist in other locales. */
  localized: boolean
  time: WriteTime | undefined
}>

/** `gone`: no version is left. `left`: other locales exist. Undefined: nothing was deleted. */
type GroupedRemoval = 'gone' | 'left' | undefined

/**
 * Deletes a document in one transaction with deletes of other requests (docs/internals/storage.md, "Several writes in
 * one transaction").
 * @throws the error of the database if the outcome is unknown
 */
export function deleteInGroup(unit: UnitOfWork, request: GroupedDelete): Promise<GroupedRemoval> {
  const { collections, locale } = request.plan
  const name = `delete together ${locale ?? 'null'} in ${collections.join(' ')}`
  const remove = combine<GroupedDelete, GroupedRemoval>(unit, name, deleteAll, {
    maxKeys: maxWrites,
    // Concurrent deletes of localized types would conflict on their claims.
    atOnce: request.localized ? 1 : transactionsAtOnce,
  })
  return remove(request)
}

async function deleteAll(
  requests: readonly GroupedDelete[],
  unit: UnitOfWork,
): Promise<readonly GroupedRemoval[]> {
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
