import DataLoader from 'dataloader'

/** Answers in the order of its keys, the error of a single one in its place. */
export type RunKeys<K, V> = (keys: readonly K[]) => Promise<readonly (V | Error)[]>

type Options = Readonly<{
  /** Keys of one command at most. */
  maxKeys: number
  /** How many commands may be under way; default 1. */
  atOnce?: number
  /** Milliseconds after which a command counts as under way no more; default: it does until it has ended. */
  patienceMs?: number
}>

/**
 * Gives what belongs to a key. Keys that come in two turns of the event loop go to the database as one command, and so
 * do those that come while as many commands are under way as may be. A command costs about as much as looking up ten
 * keys, so that many who ask cost less each, and a single one waits for nobody. Nothing is kept: what is answered was
 * read after it was asked.
 */
export function combineKeys<K, V>(
  run: RunKeys<K, V>,
  { maxKeys, atOnce = 1, patienceMs }: Options,
): (key: K) => Promise<V> {
  const underWay = new Set<Promise<unknown>>()
  const loader = new DataLoader<K, V>(
    (keys) => {
      const answer = run(keys)
      const counted = patienceMs === undefined ? answer : endOr(answer, patienceMs)
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
 * Where there is little to do, turns take microseconds; where there is much, the second one brings as many keys as the
 * first: eight for each command of 16 who update, instead of five.
 */
const inTwoTurns = (run: () => void): void => void setImmediate(() => setImmediate(run))

/** Ends with what is waited for, or when the time is over. */
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
