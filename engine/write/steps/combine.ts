import DataLoader from 'dataloader'
import type { UnitOfWork } from '../../database/unit-of-work.js'
import { oneByOne } from '../../database/unit-of-work.js'
import type { Timeline } from '../../timeline.js'

type Run<K, V> = (keys: readonly K[], unit: UnitOfWork) => Promise<readonly (V | Error)[]>

/** They belong to a database, as a process may talk to several, or to a transaction. */
const loaders = new WeakMap<object, Map<string, DataLoader<unknown, unknown>>>()

/**
 * Gives what belongs to a key. Keys of several requests go to the database as one command: those that
 * come in one turn of the event loop, and those that come while as many commands of the same name are under
 * way as may be. A command costs about as much as looking up ten keys, so that many writers cost less each,
 * and a single one waits for nobody. Nothing is kept: what is answered was read after it was asked. A transaction
 * sees and changes what is its own, so that only its own keys go together.
 * @param name of what is done, the same for the same `run`; there must be a bounded number of them
 * @param run answers in the order of its keys, the error of a single one in its place; its unit is that of all who ask
 * @param options.atOnce how many commands may be under way; default 1
 */
export function combine<K, V>(
  unit: UnitOfWork,
  name: string,
  run: Run<K, V>,
  { maxKeys = 10_000, atOnce = 1 }: Readonly<{ maxKeys?: number; atOnce?: number }> = {},
): (key: K) => Promise<V> {
  const owner = unit.isTransaction ? unit : unit.db
  const named = loaders.get(owner) ?? new Map<string, DataLoader<unknown, unknown>>()
  loaders.set(owner, named)
  const loader = (named.get(name) ?? makeLoader(run, maxKeys, atOnce)) as DataLoader<Asked<K>, V>
  named.set(name, loader)
  return (key) => loader.load({ key, unit })
}

type Asked<K> = Readonly<{ key: K; unit: UnitOfWork }>

/** Whom a command of several requests is sent for. */
function unitOf<K>(asked: readonly Asked<K>[]): UnitOfWork {
  const [{ unit }] = asked as [Asked<K>]
  if (unit.isTransaction || asked.length === 1) return unit
  const timelines = new Set<Timeline>(asked.flatMap(({ unit }) => unit.timelines))
  return oneByOne(unit.db, [...timelines])
}

function makeLoader<K, V>(
  run: Run<K, V>,
  maxBatchSize: number,
  atOnce: number,
): DataLoader<Asked<K>, V> {
  const underWay = new Set<Promise<unknown>>()
  const runAlone = async (asked: readonly Asked<K>[]): Promise<readonly (V | Error)[]> => {
    const keys = asked.map(({ key }) => key)
    const answer = run(keys, unitOf(asked))
    underWay.add(answer)
    try {
      return await answer
    } finally {
      underWay.delete(answer)
    }
  }
  return new DataLoader<Asked<K>, V>(runAlone, {
    cache: false,
    maxBatchSize,
    batchScheduleFn: (start) => {
      if (underWay.size < atOnce) setImmediate(start)
      else Promise.race(underWay).then(start, start)
    },
  })
}
