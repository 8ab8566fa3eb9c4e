import { setTimeout as sleep } from 'node:timers/promises'
import type { ClientSession, MongoClient, TransactionOptions } from 'mongodb'
import { MongoError, MongoErrorLabel } from 'mongodb'
import {
  databaseError,
  isInterrupted,
  isRetryable,
  isUnconfirmed,
  isUnserved,
} from '../errors/database-errors.js'
import { commitConcern } from './durability.js'

type Options = Readonly<{
  left: () => number
  /** Called before the commit is sent. From then on, the transaction may take effect. */
  sent: () => void
  maxTries?: number
}>

/** Time to wait before the n-th retry of a transaction: a random fraction of 5 ms · 1.5ⁿ, at most 500 ms. */
const firstPauseMs = 5
const growth = 1.5
const longestPauseMs = 500

const commitPauseMs = 50

/**
 * Runs a transaction. Retries it if the database aborts it, or if the primary is lost before the commit is sent.
 * Retries a commit until there is a response. Stops when the time of the write is over; the driver's `withTransaction`
 * would retry for two minutes.
 * @param attempt may be called more than once
 * @param isDone whether to commit; otherwise the transaction is aborted
 * @throws the error of `attempt` if a retry would not help, or the last error of the database when the time is over
 */
export async function inTransaction<T>(
  client: MongoClient,
  attempt: (session: ClientSession) => Promise<T>,
  isDone: (result: T) => boolean,
  options: Options,
): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    let isSent = false
    const sent = (): void => {
      options.sent()
      isSent = true
    }
    try {
      return await tryOnce(client, attempt, isDone, { ...options, sent })
    } catch (error) {
      const pauseMs = Math.random() * Math.min(longestPauseMs, firstPauseMs * growth ** tries)
      const isAgain = isTransient(error) || (!isSent && isUndone(error))
      if (!isAgain || options.left() <= pauseMs || tries === options.maxTries) throw error
      await sleep(pauseMs)
    }
  }
}

/**
 * Whether to retry a transaction whose commit was not sent. Also after interruptions, because `endAbandoned` may have
 * ended the session.
 */
const isUndone = (error: unknown): boolean =>
  isInterrupted(error) || isRetryable(error) || isUnserved(error)

async function tryOnce<T>(
  client: MongoClient,
  attempt: (session: ClientSession) => Promise<T>,
  isDone: (result: T) => boolean,
  { left, sent }: Options,
): Promise<T> {
  const session = client.startSession()
  try {
    session.startTransaction(optionsOf(left()))
    const result = await attempt(session)
    if (isDone(result)) {
      sent()
      await commit(session, left)
    }
    await session.endSession()
    return result
  } catch (error) {
    const ended = session.endSession()
    // Do not wait for the abort if there is no primary: it would be sent to the next one, which does not know the
    // transaction.
    if (!isRetryable(error) && !isUnserved(error)) await ended
    throw error
  }
}

async function commit(session: ClientSession, left: () => number): Promise<void> {
  for (;;)
    try {
      return await session.commitTransaction()
    } catch (error) {
      // A transient error means that nothing was committed. An error that does not come from the database is a bug.
      // After any other error, it is unknown whether the transaction was committed, so retry the commit.
      const isAnswer = isTransient(error) || databaseError(error) === undefined
      if (isAnswer || left() <= commitPauseMs) throw error
      await sleep(commitPauseMs)
    }
}

const optionsOf = (leftMs: number): TransactionOptions => ({
  readConcern: { level: 'snapshot' },
  readPreference: 'primary',
  ...commitConcern(leftMs),
})

const hasLabel = (error: unknown, label: string): boolean =>
  error instanceof MongoError && error.hasErrorLabel(label)
/** Whether a transaction had no effect and a retry may succeed. */
export const isTransient = (error: unknown): boolean =>
  hasLabel(error, MongoErrorLabel.TransientTransactionError) && !isUnanswered(error)
/**
 * Whether it is unknown if a transaction took effect. A new primary may report that the transaction does not exist. If
 * the majority has not confirmed this, the outcome is unknown, although the error lacks the label for that.
 */
const isUnanswered = (error: unknown): boolean =>
  hasLabel(error, MongoErrorLabel.UnknownTransactionCommitResult) || isUnconfirmed(error)
