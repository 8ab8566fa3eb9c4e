import { MongoBulkWriteError } from 'mongodb'
import { combineKeys } from '../../database/combine-keys.js'
import type { UnitOfWork } from '../../database/unit-of-work.js'
import { oneByOne } from '../../database/unit-of-work.js'
import type { Timeline } from '../../timeline.js'

type Run<K, V> = (keys: readonly K[], unit: UnitOfWork) => Promise<readonly (V | Error)[]>
type LoadRequest<K> = Readonly<{ key: K; unit: UnitOfWork }>
type Load = (requests: LoadRequest<unknown>) => Promise<unknown>

/** Load functions by name, for each database or transaction, because a process may use several databases. */
const loads = new WeakMap<object, Map<string, Load>>()

/**
 * Returns a function that loads the value of a key. Keys that several writes request at the same time are loaded
 * together (`combineKeys`). The keys of a transaction are only loaded with each other, because a transaction sees its
 * own snapshot.
 * @param name identifies `run`. Functions are cached by name, so the number of names must be limited
 * @param run returns the value or the error of each key, in order. It gets one unit of work for all combined requests
 * @param options.atOnce maximum number of concurrent commands; default 1
 */
export function combine<K, V>(
  unit: UnitOfWork,
  name: string,
  run: Run<K, V>,
  { maxKeys = 10_000, atOnce = 1 }: Readonly<{ maxKeys?: number; atOnce?: number }> = {},
): (key: K) => Promise<V> {
  const owner = unit.isTransaction ? unit : unit.db
  const named = loads.get(owner) ?? new Map<string, Load>()
  loads.set(owner, named)
  const runAll = (requests: readonly LoadRequest<K>[]): Promise<readonly (V | Error)[]> =>
    run(
      requests.map(({ key }) => key),
      unitOf(requests),
    )
  const load = (named.get(name) ?? combineKeys(runAll, { maxKeys, atOnce })) as Load
  named.set(name, load)
  return (key) => load({ key, unit }) as Promise<V>
}

/** How to execute steps: one as a command of its own, or all as one command. */
type Execution<K> = Readonly<{
  one: (step: K, unit: UnitOfWork) => Promise<unknown>
  all: (steps: readonly K[], unit: UnitOfWork) => Promise<unknown>
}>

/**
 * Executes a step. Outside transactions, concurrent steps with this name share one command and journal wait, but fail
 * separately: a rejected step is sent again alone, and fails with its own error, or succeeds.
 * @param name as in `combine`
 */
export async function shareCommand<K>(
  unit: UnitOfWork,
  name: string,
  step: K,
  { one, all }: Execution<K>,
): Promise<void> {
  if (unit.isTransaction) return void (await one(step, unit))
  const run = async (steps: readonly K[], by: UnitOfWork): Promise<readonly (true | Error)[]> => {
    const alone = (step: K): Promise<true | Error> => one(step, by).then(() => true, asError)
    if (steps.length === 1) return Promise.all(steps.map(alone))
    try {
      await all(steps, by)
      return steps.map(() => true)
    } catch (error) {
      const refused = refusedOf(error)
      if (refused === undefined) throw error
      return Promise.all(steps.map(async (step, at) => !refused.has(at) || alone(step)))
    }
  }
  await combine<K, true>(unit, name, run, { maxKeys: 100 })(step)
}

/** Returns the rejected steps; undefined if the whole command failed, or if the outcome of other steps is unknown. */
export function refusedOf(error: unknown): ReadonlySet<number> | undefined {
  if (!(error instanceof MongoBulkWriteError)) return undefined
  if (error.result.getWriteConcernError() !== undefined) return undefined
  const errors = [error.writeErrors].flat()
  return errors.length === 0 ? undefined : new Set(errors.map(({ index }) => index))
}

export const asError = (error: unknown): Error =>
  error instanceof Error ? error : new Error(String(error))

/** Returns the unit of work for several requests. */
function unitOf<K>(requests: readonly LoadRequest<K>[]): UnitOfWork {
  const [{ unit }] = requests as [LoadRequest<K>]
  if (unit.isTransaction || requests.length === 1) return unit
  const timelines = new Set<Timeline>(requests.flatMap(({ unit }) => unit.timelines))
  return oneByOne(unit.db, [...timelines])
}
