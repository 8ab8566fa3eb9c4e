import type { AnyBulkWriteOperation, Document, Filter, MongoBulkWriteError } from 'mongodb'
import { BSON } from 'mongodb'
import type { UnitOfWork } from '../../database/unit-of-work.js'
import { asError, combine, refusedOf, shareCommand } from '../load/combine.js'

/** A complete stored version. */
export type Stored = Document & { _id: number }

/** Inserts a version, or updates it if it is unchanged since it was read. */
export type VersionStep =
  | Readonly<{ kind: 'insert'; version: Stored }>
  | Readonly<{ kind: 'update'; filter: Filter<Stored>; update: Document }>

type UpdateStep = Extract<VersionStep, { kind: 'update' }>

export const operationOf = (step: VersionStep): AnyBulkWriteOperation<Stored> =>
  step.kind === 'insert'
    ? { insertOne: { document: step.version } }
    : { updateOne: { filter: step.filter, update: step.update } }

/** Returns a document as the database stores it, so that it need not be read again. */
export function asStored(document: Document): Uint8Array {
  return BSON.serialize(document, { ignoreUndefined: true })
}

type Inserted = Document & { _id: number | string }

/**
 * Inserts a version. Outside transactions, concurrent inserts share one command and journal wait, but fail separately.
 * @throws the driver's error. For a duplicate key, the error names the index
 */
export async function insertVersion(
  unit: UnitOfWork,
  name: string,
  version: Inserted,
  isLast: boolean,
): Promise<void> {
  const collection = unit.db.collection<Inserted>(name)
  await shareCommand(unit, `insert ${isLast ? 'last ' : ''}into ${name}`, version, {
    one: (one, by) => by.write(isLast, (options) => collection.insertOne(one, options)),
    all: (all, by) =>
      by.write(isLast, (options) => collection.insertMany(all, { ...options, ordered: false })),
  })
}

/** False if the version had changed; `unknown` if the database did not report which versions it updated. */
type Updated = boolean | 'unknown'

/**
 * Updates a version if it is unchanged since it was read. Concurrent updates share one command and one wait for the
 * journal, but are rejected separately. The database only reports how many versions such a command updated, not which.
 * @param options.isAlone sends a separate command, so that the outcome is always known
 * @throws the driver's error. For a duplicate key, the error names the index
 */
export async function updateVersion(
  unit: UnitOfWork,
  name: string,
  step: UpdateStep,
  { isLast, isAlone = false }: Readonly<{ isLast: boolean; isAlone?: boolean }>,
): Promise<Updated> {
  const collection = unit.db.collection<Stored>(name)
  const updateThis = async (one: UpdateStep, by: UnitOfWork): Promise<boolean> => {
    const { matchedCount } = await by.write(isLast, (options) =>
      collection.updateOne(one.filter, one.update, options),
    )
    return matchedCount > 0
  }
  if (unit.isTransaction || isAlone) return updateThis(step, unit)
  const updateOne = (one: UpdateStep, by: UnitOfWork): Promise<boolean | Error> =>
    updateThis(one, by).catch(asError)
  const updateAll = async (
    steps: readonly UpdateStep[],
    by: UnitOfWork,
  ): Promise<readonly (Updated | Error)[]> => {
    if (steps.length === 1) return Promise.all(steps.map((one) => updateOne(one, by)))
    try {
      const { matchedCount } = await by.write(isLast, (options) =>
        collection.bulkWrite(steps.map(operationOf), { ...options, ordered: false }),
      )
      return steps.map(() => matchedCount === steps.length || 'unknown')
    } catch (error) {
      const refused = refusedOf(error)
      if (refused === undefined) throw error
      const { matchedCount } = error as MongoBulkWriteError
      const matched = matchedCount === steps.length - refused.size || 'unknown'
      // Send rejected updates again as separate commands. Each then fails with its own error, or succeeds.
      return Promise.all(
        steps.map(async (one, at) => (refused.has(at) ? updateOne(one, by) : matched)),
      )
    }
  }
  const update = combine<UpdateStep, Updated>(
    unit,
    `update ${isLast ? 'last ' : ''}in ${name}`,
    updateAll,
    { maxKeys: 100 },
  )
  return update(step)
}
