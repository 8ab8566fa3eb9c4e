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
  /** Remaining time, in milliseconds. */
  left: () => number
  /** Called before the commit is sent. From then on, the outcome is unknown until there is a response. */
  sent: () => void
  /** Maximum number of tries; default: as many as the time allows. */
  maxTries?: number
}>

/** Pause before a transaction is retried: a random part of 5 ms · 1.5ⁿ, at most 500 ms. */
const firstPauseMs = 5
const growth = 1.5
const longestPauseMs = 500

/** Pause before a commit is retried, in milliseconds. */
const commitPauseMs = 50

/**
 * Runs a transaction. Retries it if the database aborts it, or if the primary is lost before the commit is sent.
 * Retries a commit until there is a response. The driver's `withTransaction` retries for two minutes, however little
 * time the caller has. This function stops when the time of the write is over.
 * @param attempt must be able to run more than once
 * @param isDone whether to commit what `attempt` returned; otherwise the transaction is aborted
 * @throws the error of `attempt` if another try would not help, or the last error of the database when the time is over
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
 * Whether the transaction can be retried after an error before the commit. An interrupted session may have been ended
 * as abandoned (`unit-of-work.ts`).
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
    // If there is no primary, do not await the abort: it would wait for the next primary, which does not know the
    // transaction.
    if (!isPassing(error) && !isUnserved(error)) await ended
    throw error
  }
}

async function commit(session: ClientSession, left: () => number): Promise<void> {
  for (;;)
    try {
      return await session.commitTransaction()
    } catch (error) {
      // The error is either the response that the commit was not done, or a bug. After any other error of the database,
      // the outcome is unknown.
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
/** Whether the transaction had no effect and another try may help. */
export const isTransient = (error: unknown): boolean =>
  hasLabel(error, MongoErrorLabel.TransientTransactionError) && !isUnanswered(error)
/**
 * Whether the outcome is unknown. A new primary's response that it has no such transaction only counts if the majority
 * confirms it. If the wait for the majority failed, the response has no label.
 */
const isUnanswered = (error: unknown): boolean =>
  hasLabel(error, MongoErrorLabel.UnknownTransactionCommitResult) || isUnconfirmed(error)
