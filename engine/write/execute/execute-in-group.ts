import type { AnyBulkWriteOperation } from 'mongodb'
import type { UnitOfWork } from '../../database/unit-of-work.js'
import { tryTogether } from '../../database/unit-of-work.js'
import type { WriteTime } from '../../write-time.js'
import { claim, claimsOf } from './claim.js'
import { combine } from '../load/combine.js'
import { atOnce, mainStep, writtenMain } from './execute-main.js'
import { afterDifference, asReadStep, insertedPublication } from './execute-publication.js'
import { groupBy } from '../load/group-by.js'
import { asStored } from './insert-version.js'
import { sharedStep } from './execute-shared.js'
import type { SaveResult } from './save-result.js'
import type { Stored, VersionStep } from '../plan/version-step.js'
import type { Publication, SavePlan } from '../plan/write-plan.js'
import type { Fields } from '../../values/stored-types.js'

/** Writes per transaction. */
export const maxWrites = 50
/** Number of concurrent transactions. With only one, even a few writers would have to wait for each other. */
export const transactionsAtOnce = 4

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

/** Time limit in milliseconds of a write for which no client waits. */
const untimedMs = 30_000

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
export const timeOf = (requests: readonly Readonly<{ time: WriteTime | undefined }>[]) => ({
  left: (): number => Math.max(...requests.map(({ time }) => time?.left() ?? untimedMs)),
  sent: (): void => requests.forEach(({ time }) => time?.begin()),
})

type Step = Readonly<{ collection: string; operation: AnyBulkWriteOperation<Stored> }>

/** Executes the steps of all plans. Returns false if a version was changed after it was read. */
async function writeAll(unit: UnitOfWork, plans: readonly SavePlan[]): Promise<boolean> {
  await claim(unit, plans.flatMap(claimsOf))
  const steps = [...plans.map(mainOf), ...plans.flatMap(publicationOf)]
  for (const [collection, own] of groupBy(steps, 'collection'))
    if ((await writeSteps(unit, collection, own)) < own.length) return false
  // Another write that has added a locale since the versions were read conflicts with this one on their claim.
  for (const [collection, shared] of groupBy(plans.flatMap(sharedOf), 'collection'))
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

const mainOf = (plan: SavePlan): Step => ({
  collection: plan.main.collection,
  operation: operationOf(mainStep(plan)),
})

const publicationOf = ({ publication, places }: SavePlan): readonly Step[] =>
  publication === null
    ? []
    : [
        {
          collection: publication.collection,
          operation: operationOf(publicationStep(publication, places)),
        },
      ]

const sharedOf = (plan: SavePlan): readonly Step[] =>
  plan.shared.map((shared) => ({
    collection: shared.collection,
    operation: { updateMany: sharedStep(shared, plan) },
  }))

const operationOf = (step: VersionStep): AnyBulkWriteOperation<Stored> =>
  step.kind === 'insert'
    ? { insertOne: { document: step.version } }
    : { updateOne: { filter: step.filter, update: step.update } }

function publicationStep(publication: Publication, places: SavePlan['places']): VersionStep {
  const { previous, difference } = publication
  return previous === null || difference === null
    ? { kind: 'insert', version: insertedPublication(publication, places) }
    : asReadStep(previous, difference, places)
}

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
