import { setTimeout as sleep } from 'node:timers/promises'
import type { ClientSession, Db, WriteConcernOptions } from 'mongodb'
import { isElection, undone } from '../errors/database-errors.js'
import type { Timeline } from '../timeline.js'
import { beginStage } from '../timeline.js'
import type { WriteTime } from '../write/write-time.js'
import { endAbandoned, lookAfterMs } from './end-abandoned.js'
import { hasTransactions, writeConcern } from './durability.js'
import { inTransaction, isTransient } from './in-transaction.js'
import { sendAgain } from './send-again.js'
import type { SentFor } from './sent-commands.js'
import { forTimelines, markSession } from './sent-commands.js'

/** What a command of a unit is sent with, beside its own options. */
export type ReadOptions = SentFor &
  Readonly<{ session?: ClientSession; readPreference?: 'primary' }>
type StepOptions = SentFor & WriteConcernOptions & Readonly<{ session?: ClientSession }>

/**
 * How the commands of one write reach the database: each by itself, or all in one transaction (docs/storage.md,
 * "One by one, or together"). Its reads go to the primary, whatever the URI prefers: what decides a write must
 * not be older than what it is compared with.
 */
export type UnitOfWork = Readonly<{
  db: Db
  /** Of the requests whose commands these are; empty where nobody asks. */
  timelines: readonly Timeline[]
  /** Whether nothing of it is seen, and nothing is left of it, unless all of it is done. */
  isTransaction: boolean
  read: <T>(run: (options: ReadOptions) => Promise<T>) => Promise<T>
  /** @param isLast whether no other command of the write follows, so that this one waits for the journal */
  write: <T>(isLast: boolean, run: (options: StepOptions) => Promise<T>) => Promise<T>
  /** Runs at once; in a transaction after its commit, one by one: for what is too much for one. */
  afterwards: (run: (unit: UnitOfWork) => Promise<void>) => Promise<void>
}>

/** Every command by itself, in steps that are right beside any step of any other writer. */
export function oneByOne(db: Db, timelines: readonly Timeline[] = []): UnitOfWork {
  const told = forTimelines(timelines)
  const unit: UnitOfWork = {
    db,
    timelines,
    isTransaction: false,
    read: (run) => sendAgain(() => run({ readPreference: 'primary', ...told })),
    write: async (isLast, run) => run({ ...(await writeConcern(db, isLast)), ...told }),
    afterwards: (run) => run(unit),
  }
  return unit
}

/** Where a write's commands run, and how long it has. */
export type UnitInput = Readonly<{
  db: Db
  /** Whether to use a transaction where the database has them; absent = one by one. */
  transactions?: boolean | undefined
  time?: WriteTime | undefined
  timeline?: Timeline | undefined
}>

/** How long a transaction is tried that nobody waits for. */
const untimedMs = 120_000

/**
 * Runs the commands of one attempt at a write. In a transaction it is run again where the database gives it up (an
 * election, or another writer of the same document), as long as the write has time.
 * @param attempt must be able to run more than once; it says that something is about to be changed (`time.begin`) only
 * outside of a transaction, where that is done before the commit
 * @param isDone whether what it answered is to stay; in a transaction nothing stays of what is not
 * @throws what `attempt` throws, and then nothing stays either: where the database failed before the commit was sent, and
 * the request had changed nothing before, that is said (503, `details.outcome` `not-done`)
 */
export async function inUnit<T>(
  { db, transactions = false, time, timeline }: UnitInput,
  attempt: (unit: UnitOfWork) => Promise<T>,
  isDone: (result: T) => boolean,
): Promise<T> {
  const timelines = timeline === undefined ? [] : [timeline]
  if (!transactions || !(await hasTransactions(db))) {
    time?.begin()
    return attempt(oneByOne(db, timelines))
  }
  const isFirst = time?.hasBegun() === false
  let isSent = false
  let later: ((unit: UnitOfWork) => Promise<void>)[] = []
  let committed = (): void => undefined
  const begunAt = performance.now()
  const left = (): number => time?.left() ?? untimedMs - (performance.now() - begunAt)
  const run = (): Promise<T> =>
    inTransaction(
      db.client,
      async (session) => {
        markSession(session, timelines)
        isSent = false
        time?.hold()
        // What is still in the way after many tries may belong to nobody any more.
        if (performance.now() - begunAt > lookAfterMs) await endAbandoned(db)
        later = []
        return attempt(inSession(db, session, { later, timelines }))
      },
      isDone,
      {
        left,
        sent: () => {
          time?.begin()
          isSent = true
          committed = beginStage(timeline, 'commit')
        },
      },
    )
  const result = await run().catch((error: unknown) => {
    throw isFirst && !isSent ? undone(error) : error
  })
  committed()
  for (const run of later) await throughElection(() => run(oneByOne(db, timelines)))
  return result
}

/**
 * One try at a transaction that several writes share: all of them are done, or none.
 * @param attempt whether it is to be committed
 * @param left how much time is left to who has most, in milliseconds
 * @param sent told before the commit is sent; what it throws ends the transaction
 * @returns false where nothing was done, for whatever reason
 * @throws where nobody knows whether it was done
 */
export async function tryTogether(
  { db, timelines }: Pick<UnitOfWork, 'db' | 'timelines'>,
  attempt: (unit: UnitOfWork) => Promise<boolean>,
  { left, sent }: Readonly<{ left: () => number; sent: () => void }>,
): Promise<boolean> {
  let isSent = false
  let committed: (() => void)[] = []
  const run = (session: ClientSession): Promise<boolean> => {
    markSession(session, timelines)
    return attempt(inSession(db, session, { later: [], timelines }))
  }
  try {
    return await inTransaction(db.client, run, Boolean, {
      left,
      sent: () => {
        sent()
        isSent = true
        committed = timelines.map((timeline) => beginStage(timeline, 'commit'))
      },
      maxTries: 1,
    })
  } catch (error) {
    if (isSent && !isTransient(error)) throw error
    return false
  } finally {
    committed.forEach((end) => end())
  }
}

const maxTries = 6
const pauseMs = 250

/** Repeats what may be repeated while the database elects: the driver does so for writes of one document alone. */
async function throughElection(run: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries += 1)
    try {
      return await run()
    } catch (error) {
      if (!isElection(error) || tries === maxTries) throw error
      await sleep(pauseMs * tries)
    }
}

type InSession = Readonly<{
  later: ((unit: UnitOfWork) => Promise<void>)[]
  timelines: readonly Timeline[]
}>

/** A session takes one command at a time: those that come together wait for each other. */
function inSession(db: Db, session: ClientSession, { later, timelines }: InSession): UnitOfWork {
  let last: Promise<unknown> = Promise.resolve()
  const inOrder = <T>(run: (options: Readonly<{ session: ClientSession }>) => Promise<T>) => {
    const answer = last.then(() => run({ session }))
    // After one that failed there is no transaction any more, and the ones that wait fail as it did.
    last = answer
    last.catch(() => undefined)
    return answer
  }
  return {
    db,
    timelines,
    isTransaction: true,
    read: inOrder,
    write: (_isLast, run) => inOrder(run),
    afterwards: (run) => {
      later.push(run)
      return Promise.resolve()
    },
  }
}
