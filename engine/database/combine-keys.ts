import DataLoader from 'dataloader'

/** Returns one item for each key, in the order of the keys: its value, or its error if it failed. */
export type RunKeys<K, V> = (keys: readonly K[]) => Promise<readonly (V | Error)[]>

type Options = Readonly<{
  /** Maximum number of keys per command. */
  maxKeys: number
  /** Maximum number of concurrent commands; default 1. */
  atOnce?: number
  /** Milliseconds after which a command no longer counts as concurrent; default: it counts until it ends. */
  maxWaitMs?: number
}>

/**
 * Returns a function that loads the value of a key. Keys that arrive within two turns of the event loop are combined
 * into one command, and so are keys that arrive while `atOnce` commands run. A command costs about as much as looking
 * up ten keys, so concurrent requests become cheaper. A single request does not wait for others. Values are not cached:
 * each value is read after it was requested.
 */
export function combineKeys<K, V>(
  run: RunKeys<K, V>,
  { maxKeys, atOnce = 1, maxWaitMs }: Options,
): (key: K) => Promise<V> {
  const underWay = new Set<Promise<unknown>>()
  const loader = new DataLoader<K, V>(
    (keys) => {
      const answer = run(keys)
      const counted = maxWaitMs === undefined ? answer : endOr(answer, maxWaitMs)
      underWay.add(counted)
      const ended = (): void => void underWay.delete(counted)
      counted.then(ended, ended)
      return answer
    },
    {
      cache: false,
      maxBatchSize: maxKeys,
      batchScheduleFn: (start) => {
        const startWhenFree = (): void => {
          if (underWay.size < atOnce) start()
          else Promise.race(underWay).then(startWhenFree, startWhenFree)
        }
        if (underWay.size < atOnce) inTwoTurns(startWhenFree)
        else startWhenFree()
      },
    },
  )
  return (key) => loader.load(key)
}

/**
 * In an idle process, two turns take microseconds. In a busy process, the second turn brings as many keys as the first:
 * with 16 updating clients, a command has eight keys instead of five.
 */
const inTwoTurns = (run: () => void): void => void setImmediate(() => setImmediate(run))

/** Resolves when `awaited` ends, or after `ms`. */
function endOr(awaited: Promise<unknown>, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    const ended = (): void => {
      clearTimeout(timer)
      resolve()
    }
    awaited.then(ended, ended)
  })
}
