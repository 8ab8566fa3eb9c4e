import { ApiError, fail, notDone } from '../errors.js'

// Compare the names of error classes, so that layers without the driver can use this module.
const awayNames = [
  'MongoNetworkError',
  'MongoNetworkTimeoutError',
  'MongoServerSelectionError',
  'MongoPoolClearedError',
  'PoolClearedOnNetworkError',
  'MongoPoolClosedError',
  'MongoTopologyClosedError',
  'MongoNotConnectedError',
  'MongoClientClosedError',
  'MongoServerClosedError',
  'InterruptedWrite',
]

const timeoutNames = ['MongoOperationTimeoutError', 'MongoWaitQueueTimeoutError']

/**
 * Server error codes `InterruptedAtShutdown`, `InterruptedDueToReplStateChange`, `LegacyNotPrimary`,
 * `NotPrimaryNoSecondaryOk`, `NotPrimaryOrSecondary`, `NotWritablePrimary`, `PrimarySteppedDown`, `ShutdownInProgress`,
 * and `FailedToSatisfyReadPreference`, which a router returns for a shard without a primary.
 */
const electionCodes = [11600, 11602, 10058, 13435, 13436, 10107, 189, 91, 133]

/** Labels of a transaction that may be retried, and of a commit whose result is unknown. */
const transactionLabels = ['TransientTransactionError', 'UnknownTransactionCommitResult']

const interrupted = 11601
const interruptedCodes = [interrupted]

/** Server error codes `MaxTimeMSExpired`, `WriteConcernTimeout` and `Interrupted`. */
const timeoutCodes = [50, 64, interrupted]

/**
 * Server error codes `ExceededMemoryLimit`, `QueryExceededMemoryLimitNoDiskUseAllowed`, `BSONObjectTooLarge`, and the
 * code of a `$lookup` with too many targets of one entry.
 */
const sizeCodes = [146, 292, 10334, 4568]

/** Maximum size of a document in MongoDB, in bytes. */
export const maxDocumentBytes = 16 * 1024 * 1024

/** `BSONObjectTooLarge`, and the two codes of an update that would make its document too large. */
const documentSizeCodes = [10334, 17419, 17420]

/** `SnapshotTooOld` and `SnapshotUnavailable`. */
const snapshotCodes = [239, 246]

/** The database was lost between two steps of a write, so the write may be stored in part. */
export class InterruptedWrite extends Error {
  override readonly name = 'InterruptedWrite'

  constructor() {
    super('The connection to the database was lost between two steps of a write')
  }
}

/**
 * Converts an error of the database to one for the client. Returns undefined for other errors. If the database took too
 * long or cannot be reached, the result is a 503, which tells the client to retry. If the database lacks the memory for
 * a query, it is a 400.
 * @param timeoutMs the time limit of a query; absent for other commands
 */
export function databaseError(thrown: unknown, timeoutMs?: number): ApiError | undefined {
  const error = wrappedIn(thrown)
  if (!(error instanceof Error)) return undefined
  if (timeoutNames.includes(error.name) || hasCode(error, timeoutCodes))
    return timeoutMs === undefined
      ? unavailable('The database took too long')
      : tookTooLong(timeoutMs)
  if (timeoutMs !== undefined && hasCode(error, sizeCodes)) return beyondMemory()
  if (isDocumentSize(error)) return timeoutMs === undefined ? documentTooLarge() : queryTooLarge()
  if (isUnconfirmed(error)) return unavailable('The database took too long')
  if (isPlanKilled(error)) return unavailable('The indexes of the database changed meanwhile')
  if (isElection(error)) return unavailable('The database is electing another primary')
  if (isOfDriver(error) && transactionLabels.some((label) => error.hasErrorLabel?.(label) === true))
    return unavailable('The database did not finish the write')
  return awayNames.includes(error.name) ? unreachable() : undefined
}

/**
 * Unwraps the error of `insertMany`, because the outer error does not say why the whole command failed. Returns any
 * other error unchanged.
 */
const wrappedIn = (error: unknown): unknown =>
  error instanceof Error && 'errorResponse' in error && error.errorResponse instanceof Error
    ? wrappedIn(error.errorResponse)
    : error

/** Creates the 503 for the case that no server of the database can run a command. */
export function unreachable(): ApiError {
  return unavailable('The database cannot be reached')
}

/** Converts an error after which nothing was changed. If it is an error of the database, the client may retry. */
export function undone(error: unknown): unknown {
  const shown = databaseError(error)
  if (shown === undefined) return error
  // A retry does not make a document smaller.
  if (shown.code !== 'unavailable') return shown
  const known = notDone(`${shown.message}. Nothing was changed`)
  // The log shows the cause.
  known.cause = error
  return known
}

/** Whether a server rejected a command because it is not the primary, or is about to step down. */
export function isElection(error: unknown): boolean {
  return hasCode(error, electionCodes)
}

/**
 * `HostUnreachable`, `HostNotFound`, `NetworkTimeout`, `ReadConcernMajorityNotAvailableYet`, `ExceededTimeLimit` and
 * `SocketException`. Drivers retry reads after these errors, and after an election.
 */
const passingCodes = [6, 7, 89, 134, 262, 9001]

/** Names in `awayNames` that mean that the client was closed, so that a retry does not help. */
const closedNames = ['MongoTopologyClosedError', 'MongoClientClosedError', 'MongoNotConnectedError']

/** Whether the driver found no server for a command in time. */
export function isUnserved(thrown: unknown): boolean {
  const error = wrappedIn(thrown)
  return error instanceof Error && error.name === 'MongoServerSelectionError'
}

/** Whether a server was reached but did not answer. A retry may succeed. */
export function isPassing(thrown: unknown): boolean {
  const error = wrappedIn(thrown)
  if (!(error instanceof Error)) return false
  if (awayNames.includes(error.name)) return !closedNames.includes(error.name) && !isUnserved(error)
  return isElection(error) || hasCode(error, passingCodes)
}

const planKilled = [175]

/** Whether the database stopped a query because an index that it used, or the collection, was dropped. */
export function isPlanKilled(error: unknown): boolean {
  return hasCode(error, planKilled)
}

/** Whether a command or its session was killed. */
export function isInterrupted(error: unknown): boolean {
  return hasCode(error, interruptedCodes)
}

/** Whether a command was executed, but the majority did not confirm it in time. Ignores the rest of the response. */
export function isUnconfirmed(error: unknown): boolean {
  return isOfDriver(error) && error.errorResponse?.writeConcernError !== undefined
}

/** Whether the database no longer has the snapshot of a read, or does not have it yet. */
export function isSnapshotGone(error: unknown): boolean {
  return hasCode(error, snapshotCodes)
}

/** Creates the 503 for a read if no snapshot is available. */
export function snapshotGone(): ApiError {
  return unavailable('The database changes too fast for a consistent read')
}

type DriverError = Error &
  Readonly<{
    code?: unknown
    errorResponse?: Readonly<{ writeConcernError?: unknown }> | null
    hasErrorLabel?: (label: string) => boolean
  }>

const isOfDriver = (error: unknown): error is DriverError =>
  error instanceof Error && error.name.startsWith('Mongo')

const hasCode = (error: unknown, codes: readonly unknown[]): boolean =>
  isOfDriver(error) && codes.includes(error.code)

/**
 * Creates the 503 for a read that reached its time limit.
 * @param advice added as a second sentence
 */
export function tookTooLong(timeoutMs: number, advice?: string): ApiError {
  const message = `The query took longer than ${timeoutMs} ms (api.rest.queryTimeoutMs)`
  return unavailable(advice === undefined ? message : `${message}. ${advice}`, 'time')
}

/** Whether a read reached its time limit. */
export const isOverdue = (error: unknown): boolean => hasReason(error, 'time')

const beyondMemory = (): ApiError =>
  fail('validation', {
    message: 'The query needs more memory than the database has',
    reason: 'memory',
  })

/** Whether a query needs more memory than the database has. */
export const isBeyondMemory = (error: unknown): boolean => hasReason(error, 'memory')

const hasReason = (error: unknown, reason: string): boolean =>
  error instanceof ApiError && error.params['reason'] === reason

/** Returns the error of a write that would make a document larger than the database stores. */
export const documentTooLarge = (): ApiError => tooManyBytes('The document is larger than 16 MB')

/** Returns the error of a read whose command is larger than the database accepts. */
const queryTooLarge = (): ApiError => tooManyBytes('The query is larger than 16 MB')

const tooManyBytes = (message: string): ApiError => {
  const bound = 'document size'
  return fail('payload-too-large', { message, bound }, { bound, limit: maxDocumentBytes })
}

/** The driver writes BSON into a buffer of 17 MB. For a larger command it throws a RangeError of Node. */
const isDocumentSize = (error: Error): boolean =>
  hasCode(error, documentSizeCodes) ||
  (isOfDriver(error) && /^Document is larger than/.test(error.message)) ||
  (error instanceof RangeError && /[/\\]bson[/\\]/.test(error.stack ?? '') && isOffset(error))

const isOffset = ({ message }: RangeError): boolean => /"?offset"? is out of/.test(message)

function unavailable(message: string, reason?: string): ApiError {
  return fail('unavailable', { message, reason }, {}, { 'Retry-After': '1' })
}
