import { setTimeout as sleep } from 'node:timers/promises'
import type { ClientSession, MongoClient, TransactionOptions } from 'mongodb'
import { MongoError, MongoErrorLabel } from 'mongodb'
import {
  databaseError,
  isInterrupted,
  isPassing,
  isUnconfirmed,
  isUnserved,
} from '../errors/database-errors.js'
import { commitConcern } from './durability.js'

type Options = Readonly<{
  /** How much of its time is left, in milliseconds. */
  left: () => number
  /** Told before the commit is sent: from then on nobody knows whether it is done, until it was answered. */
  sent: () => void
  /** How often it is tried at most; default: as often as there is time. */
  maxTries?: number
}>

/** Pauses before a transaction is run again: a random part of 5 ms · 1.5ⁿ, at most 500. */
const firstPauseMs = 5
const growth = 1.5
const longestPauseMs = 500

/** Before a commit is asked for again. */
const commitPauseMs = 50

/**
 * Runs a transaction. Repeats it if the database aborts it, or if the primary is lost before the commit is sent. Repeats a
 * commit until it is answered. The driver's `withTransaction` does this for two minutes, whatever time the caller has;
 * this ends with the time of the write.
 * @param attempt must be able to run more than once
 * @param isDone whether to commit what `attempt` returned; otherwise the transaction is aborted
 * @throws what `attempt` throws if another try would not help; the last error of the database when the time is over
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
 * Whether an error before the commit can be tried again. An interrupted session may have been ended as abandoned
 * (`end-abandoned.ts`).
 */
const isUndone = (error: unknown): boolean =>
  isInterrupted(error) || isPassing(error) || isUnserved(error)

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
    // Not awaited without a primary: the abort would wait for the next one, which does not know the transaction.
    if (!isPassing(error) && !isUnserved(error)) await ended
    throw error
  }
}

async function commit(session: ClientSession, left: () => number): Promise<void> {
  for (;;)
    try {
      return await session.commitTransaction()
    } catch (error) {
      // An answer that it was not done, or a defect; all else of the database says nothing of it.
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
/** Whether nothing of it was done, and another try may help. */
export const isTransient = (error: unknown): boolean =>
  hasLabel(error, MongoErrorLabel.TransientTransactionError) && !isUnanswered(error)
/**
 * Whether nobody knows if it is done. That another primary has no such transaction counts when the majority says so: an
 * answer that could not wait for that has no label.
 */
const isUnanswered = (error: unknown): boolean =>
  hasLabel(error, MongoErrorLabel.UnknownTransactionCommitResult) || isUnconfirmed(error)
