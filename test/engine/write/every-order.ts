import type { Db, Document } from 'mongodb'

/** A command of a writer that is about to run on a content collection. */
type Command = Readonly<{ writer: number; collection: string; call: string }>
type Waiting = Command & Readonly<{ go: () => Promise<void> }>

const reads = ['find', 'findOne', 'aggregate']
const writes = [
  ...['insertOne', 'insertMany', 'updateOne', 'updateMany', 'replaceOne'],
  ...['findOneAndUpdate', 'deleteOne', 'deleteMany', 'bulkWrite'],
]
const maxRuns = 2_000
const maxTurns = 1_000_000

/**
 * Runs writers, which stand for processes, in every order of their commands, and returns the number of orders. If
 * orders differ only in commands that do not affect each other, only one of them counts. `start` prepares each run.
 */
export async function everyOrder(
  db: Db,
  start: () => Promise<readonly ((db: Db) => Promise<unknown>)[]>,
  check: (results: readonly PromiseSettledResult<unknown>[], order: string) => Promise<void>,
): Promise<number> {
  const open: (readonly Command[])[] = [[]]
  let count = 0
  for (let runs = 0; open.length > 0; runs += 1) {
    if (runs === maxRuns) throw new Error(`There are more than ${maxRuns} orders`)
    const prefix = open.pop() ?? []
    const { taken, others, results, isNew } = await runOnce(db, await start(), prefix)
    open.push(...others)
    if (!isNew) continue
    count += 1
    await check(results, taken.map(textOf).join(', '))
  }
  return count
}

type Run = Readonly<{
  taken: readonly Command[]
  others: readonly (readonly Command[])[]
  results: readonly PromiseSettledResult<unknown>[]
  /** Whether no equivalent order has been run. */
  isNew: boolean
}>

async function runOnce(
  db: Db,
  writers: readonly ((db: Db) => Promise<unknown>)[],
  prefix: readonly Command[],
): Promise<Run> {
  const waiting: Waiting[] = []
  const finished = new Set<number>()
  const running = writers.map((write, writer) =>
    write(gated(db, writer, waiting)).finally(() => finished.add(writer)),
  )
  const all = Promise.allSettled(running)
  const taken: Command[] = []
  const others: Command[][] = []
  let isNew = true
  let before: readonly Waiting[] = []
  for (;;) {
    const isReady = (writer: number) =>
      finished.has(writer) || waiting.some((one) => one.writer === writer)
    for (let turn = 0; !writers.every((_, writer) => isReady(writer)); turn += 1) {
      if (turn === maxTurns)
        throw new Error(`A writer is stuck after ${taken.map(textOf).join(', ')}`)
      await tick()
    }
    // A writer can send several commands at once. They arrive within a few turns.
    for (let turn = 0; turn < 4; turn += 1) await tick()
    if (finished.size === writers.length) break
    const options = [...waiting].sort((a, b) => textOf(a).localeCompare(textOf(b)))
    const last = taken.at(-1)
    const distinct = options.filter(
      (option) =>
        last === undefined ||
        !before.includes(option) ||
        textOf(option) > textOf(last) ||
        !areIndependent(option, last),
    )
    const wanted = prefix[taken.length]
    const [first, ...more] = distinct
    const next =
      wanted === undefined ? first : options.find((one) => textOf(one) === textOf(wanted))
    if (next === undefined) isNew = false
    else if (wanted === undefined && isNew)
      others.push(...more.map(({ go: _, ...command }) => [...taken, command]))
    const chosen = next ?? options[0]
    if (chosen === undefined) throw new Error('No writer is waiting')
    before = options
    waiting.splice(waiting.indexOf(chosen), 1)
    const { go, ...command } = chosen
    taken.push(command)
    await go()
  }
  return { taken, others, results: await all, isNew }
}

const tick = () => new Promise<void>((resolve) => setImmediate(resolve))
const textOf = ({ writer, collection, call }: Command): string =>
  `${writer + 1}: ${collection} ${call}`

function areIndependent(a: Command, b: Command): boolean {
  return a.collection !== b.collection || (reads.includes(a.call) && reads.includes(b.call))
}

/** Returns a database whose commands to content collections wait until `everyOrder` releases them. */
function gated(db: Db, writer: number, waiting: Waiting[]): Db {
  const inTurn = (collection: string, call: string, run: () => Promise<unknown>) =>
    new Promise<unknown>((resolve, reject) => {
      const go = () => run().then(resolve, reject)
      waiting.push({ writer, collection, call, go })
    })
  const collection = (name: string) => {
    const real = db.collection(name)
    if (name.startsWith('_')) return real
    return new Proxy(real, {
      get: (target, key) => {
        const member: unknown = Reflect.get(target, key, target)
        if (typeof member !== 'function') return member
        const call = String(key)
        const apply = (given: unknown[]): unknown => Reflect.apply(member, target, given)
        if (writes.includes(call) || call === 'findOne')
          return (...given: unknown[]) => inTurn(name, call, () => apply(given) as Promise<unknown>)
        if (!reads.includes(call)) return (...given: unknown[]) => apply(given)
        return (...given: unknown[]) => {
          const cursor = apply(given) as { toArray: () => Promise<unknown> }
          return { toArray: () => inTurn(name, call, () => cursor.toArray()) }
        }
      },
    })
  }
  // Some lookups use the `find` command directly, without a cursor.
  const command = (sent: Document, options?: object): Promise<unknown> => {
    const { find } = sent as Readonly<{ find?: string }>
    const run = (): Promise<unknown> => db.command(sent, options)
    return find === undefined || find.startsWith('_') ? run() : inTurn(find, 'find', run)
  }
  return Object.create(db, { collection: { value: collection }, command: { value: command } }) as Db
}
