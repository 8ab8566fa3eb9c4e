import type { AnyBulkWriteOperation, MongoBulkWriteError } from 'mongodb'
import type { UnitOfWork } from '../../database/unit-of-work.js'
import { asError, combine, refusedOf } from './combine.js'
import type { Stored, VersionStep } from './version-step.js'

type UpdateStep = Extract<VersionStep, { kind: 'update' }>

/** Whether a version was as it was read, and therefore changed; `unknown` where that was not told. */
export type Updated = boolean | 'unknown'

/**
 * Changes a version where it is as it was read. Those of several requests go out together, and wait for the journal
 * together; each is refused for itself. Of several the database tells only how many it changed: where that is not
 * all of them, nobody knows which.
 * @param options.isAlone whether it goes by itself, so that it is always told
 * @throws the driver's error, of a duplicate key with its index
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
      const told = matchedCount === steps.length - refused.size || 'unknown'
      // Once more by itself, which says what refused it; or it has become possible.
      return Promise.all(
        steps.map(async (one, at) => (refused.has(at) ? updateOne(one, by) : told)),
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

const operationOf = ({ filter, update }: UpdateStep): AnyBulkWriteOperation<Stored> => ({
  updateOne: { filter, update },
})
