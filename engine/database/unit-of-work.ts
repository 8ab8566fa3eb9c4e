import { setTimeout as sleep } from 'node:timers/promises'
import type { ClientSession, Db, WriteConcernOptions, Document, MongoClient, UUID } from 'mongodb'
import { isElection, asNotDone } from '../errors/database-errors.js'
import { type Timeline, beginStage } from '../timeline.js'
import type { WriteTime } from '../write-time.js'
import { hasTransactions, writeConcern } from './durability.js'
import { inTransaction, isTransient } from './in-transaction.js'
import { retryCommand } from './retry-command.js'
import { type SentFor, forTimelines, markSession } from './sent-commands.js'

/**
 * Milliseconds after which an idle transaction counts as abandoned. If its process is still running after all, it
 * retries the transaction.
 */
const abandonedAfterMs = 2_000

/**
 * Minimum milliseconds between two checks for abandoned transactions, and between the start of a write and its first
 * check.
 */
const minIntervalMs = 1_000

const checkedAt = new WeakMap<MongoClient, number>()

/**
 * Ends abandoned transactions of Quire. If a process is killed or frozen, the documents that its transaction has
 * written would otherwise stay locked for a minute (MongoDB's `transactionLifetimeLimitSeconds`).
 * @param db transactions count as Quire's if their client has the same `appName` as this database's client
 */
async function endAbandoned({ client }: Db): Promise<void> {
  const now = performance.now()
  if (now - (checkedAt.get(client) ?? -Infinity) < minIntervalMs) return
  checkedAt.set(client, now)
  const admin = client.db('admin')
  try {
    const abandoned = await admin
      .aggregate<{ lsid: { id: UUID } }>([
        { $currentOp: { allUsers: false, idleSessions: true } },
        {
          $match: {
            type: 'idleSession',
            appName: client.options.appName,
            'transaction.timeInactiveMicros': { $gte: abandonedAfterMs * 1_000 },
          },
        },
        { $project: { lsid: 1 } },
      ] satisfies Document[])
      .toArray()
    if (abandoned.length > 0)
      await admin.command({ killSessions: abandoned.map(({ lsid: { id } }) => ({ id })) })
  } catch {
    // Ignore errors: the database user may not be allowed to list or end sessions.
  }
}

/** Options that a unit of work adds to those of a read. */
export type ReadOptions = SentFor &
  Readonly<{ session?: ClientSession; readPreference?: 'primary' }>
type StepOptions = SentFor & WriteConcernOptions & Readonly<{ session?: ClientSession }>

/**
 * Sends the commands of one write: one by one, or in one transaction (docs/internals/storage.md, "Transactions"). Reads
 * go to the primary, because they must not be older than the version that the write compares.
 */
export type UnitOfWork = Readonly<{
  db: Db
  /** Timelines of the requests that wait for the write. Empty for background work. */
  timelines: readonly Timeline[]
  isTransaction: boolean
  read: <T>(run: (options: ReadOptions) => Promise<T>) => Promise<T>
  /** @param isLast whether this is the last command, which waits for the journal */
  write: <T>(isLast: boolean, run: (options: StepOptions) => Promise<T>) => Promise<T>
  /**
   * Runs changes that are too large for one transaction: after the unit's transaction is committed, or at once if the
   * unit has none.
   */
  afterwards: (run: (unit: UnitOfWork) => Promise<void>) => Promise<void>
}>

/** Creates a unit without a transaction. Other writes may run between the steps of this one. */
export function oneByOne(db: Db, timelines: readonly Timeline[] = []): UnitOfWork {
  const sentFor = forTimelines(timelines)
  const unit: UnitOfWork = {
    db,
    timelines,
    isTransaction: false,
    read: (run) => retryCommand(() => run({ readPreference: 'primary', ...sentFor })),
    write: async (isLast, run) => run({ ...(await writeConcern(db, isLast)), ...sentFor }),
    afterwards: (run) => run(unit),
  }
  return unit
}

/** The database and time limit of a write, and whether it uses a transaction. */
export type UnitInput = Readonly<{
  db: Db
  /** Whether to use a transaction. Only takes effect if the database supports transactions. Default: false. */
  transactions?: boolean | undefined
  time?: WriteTime | undefined
  timeline?: Timeline | undefined
}>

/** Time limit in milliseconds for a transaction that no client waits for. */
const untimedMs = 120_000

/**
 * Runs the commands of one attempt at a write. While the write has time, retries a transaction that the database aborts
 * because of an election or a conflict.
 * @param attempt may run more than once in a transaction. `time.begin` is called before the commit of a transaction,
 * and otherwise before `attempt`
 * @param isDone whether to commit; otherwise the transaction is aborted
 * @throws the error of `attempt`, or a 503 (`details.outcome` `not-done`) if the database fails before the commit is
 * sent and the request has changed nothing before
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
        // A conflict that lasts this long may be caused by an abandoned transaction.
        if (performance.now() - begunAt > minIntervalMs) await endAbandoned(db)
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
    throw isFirst && !isSent ? asNotDone(error) : error
  })
  committed()
  for (const run of later) await retryThroughElection(() => run(oneByOne(db, timelines)))
  return result
}

/**
 * Attempts once to run several writes in one transaction.
 * @param attempt returns whether to commit
 * @param left returns the longest remaining time of the writes, in milliseconds
 * @param sent called before the commit is sent; if it throws, the transaction is aborted
 * @returns false if the transaction had no effect
 * @throws if it is unknown whether the transaction took effect
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

/** Retries repeatable changes during an election. The driver alone would only retry writes of single documents. */
async function retryThroughElection(run: () => Promise<void>): Promise<void> {
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

/**
 * Creates a unit in the transaction of a session. A session runs only one command at a time, so the unit queues its
 * commands.
 */
function inSession(db: Db, session: ClientSession, { later, timelines }: InSession): UnitOfWork {
  let last: Promise<unknown> = Promise.resolve()
  const inOrder = <T>(run: (options: Readonly<{ session: ClientSession }>) => Promise<T>) => {
    const answer = last.then(() => run({ session }))
    // A failed command ends the transaction, so all queued commands fail with its error.
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
