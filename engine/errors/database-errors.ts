import { ApiError, fail, notDone } from '../errors.js'

// Driver errors that mean the database cannot be reached. Identified by name, because layers without the driver use
// this module.
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
 * Error codes of a server that is not the primary, or is about to stop being it: `InterruptedAtShutdown`,
 * `InterruptedDueToReplStateChange`, `LegacyNotPrimary`, `NotPrimaryNoSecondaryOk`, `NotPrimaryOrSecondary`,
 * `NotWritablePrimary`, `PrimarySteppedDown`, `ShutdownInProgress`. Also `FailedToSatisfyReadPreference`, which a
 * router (mongos) returns for a shard without a primary.
 */
const electionCodes = [11600, 11602, 10058, 13435, 13436, 10107, 189, 91, 133]

/** Error labels of a transaction that may be retried, and of a commit whose result is unknown. */
const transactionLabels = ['TransientTransactionError', 'UnknownTransactionCommitResult']

const interrupted = 11601
const interruptedCodes = [interrupted]

/** Error codes of an exceeded time limit: `MaxTimeMSExpired`, `WriteConcernTimeout` and `Interrupted`. */
const timeoutCodes = [50, 64, interrupted]

/**
 * Error codes of a query that needs too much memory: `ExceededMemoryLimit`, `QueryExceededMemoryLimitNoDiskUseAllowed`,
 * `BSONObjectTooLarge`, and the code of a `$lookup` that finds too many targets for one entry.
 */
const sizeCodes = [146, 292, 10334, 4568]

/** MongoDB's maximum size of a document. */
export const maxDocumentBytes = 16 * 1024 * 1024

/** Error codes of a document that is too large: `BSONObjectTooLarge`, and two codes that updates return. */
const documentSizeCodes = [10334, 17419, 17420]

/** Error codes of a failed snapshot read: `SnapshotTooOld` and `SnapshotUnavailable`. */
const snapshotCodes = [239, 246]

/** Thrown if the connection to the database was lost between two steps of a write. The write may be partly stored. */
export class InterruptedWrite extends Error {
  override readonly name = 'InterruptedWrite'

  constructor() {
    super('The connection to the database was lost between two steps of a write')
  }
}

/**
 * Converts an error of the database to one for the client. Returns undefined for other errors. An exceeded time limit
 * or an unreachable database becomes a 503, so that the client retries. A query that needs too much memory becomes a
 * 400.
 * @param timeoutMs the time limit of a query; undefined for other commands
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

/** Unwraps an error of `insertMany`. Only the inner error says why the whole command failed. */
const wrappedIn = (error: unknown): unknown =>
  error instanceof Error && 'errorResponse' in error && error.errorResponse instanceof Error
    ? wrappedIn(error.errorResponse)
    : error

/** Creates the 503 for a command that no server of the database can run. */
export function unreachable(): ApiError {
  return unavailable('The database cannot be reached')
}

/**
 * Returns the error to throw when a write has failed without changing anything. A temporary database error becomes a
 * 503 whose message says that nothing was changed. Errors that do not come from the database are returned unchanged.
 */
export function asNotDone(error: unknown): unknown {
  const shown = databaseError(error)
  if (shown === undefined) return error
  // Here, a retry does not help, for example because the document is too large.
  if (shown.code !== 'unavailable') return shown
  const known = notDone(`${shown.message}. Nothing was changed`)
  // The cause is only shown in the log.
  known.cause = error
  return known
}

/** Whether a server rejected a command because it is not the primary, or is about to step down. */
export function isElection(error: unknown): boolean {
  return hasCode(error, electionCodes)
}

/**
 * Error codes after which drivers retry reads: `HostUnreachable`, `HostNotFound`, `NetworkTimeout`,
 * `ReadConcernMajorityNotAvailableYet`, `ExceededTimeLimit` and `SocketException`. Drivers also retry after an
 * election.
 */
const passingCodes = [6, 7, 89, 134, 262, 9001]

/** Names of driver errors that mean the client itself was closed. A retry does not help. */
const closedNames = ['MongoTopologyClosedError', 'MongoClientClosedError', 'MongoNotConnectedError']

/** Whether the driver found no server for a command within `serverSelectionTimeoutMS`. */
export function isUnserved(thrown: unknown): boolean {
  const error = wrappedIn(thrown)
  return error instanceof Error && error.name === 'MongoServerSelectionError'
}

/** Whether a retry may succeed: a server was found, but the connection failed or the server could not answer. */
export function isRetryable(thrown: unknown): boolean {
  const error = wrappedIn(thrown)
  if (!(error instanceof Error)) return false
  if (awayNames.includes(error.name)) return !closedNames.includes(error.name) && !isUnserved(error)
  return isElection(error) || hasCode(error, passingCodes)
}

const planKilled = [175]

/** Whether the database stopped a query because its collection, or an index it used, was dropped. */
export function isPlanKilled(error: unknown): boolean {
  return hasCode(error, planKilled)
}

/** Whether a command or its session was killed. */
export function isInterrupted(error: unknown): boolean {
  return hasCode(error, interruptedCodes)
}

/**
 * Whether a command was executed, but not confirmed by the majority in time. The response may contain another error as
 * well.
 */
export function isUnconfirmed(error: unknown): boolean {
  return isOfDriver(error) && error.errorResponse?.writeConcernError !== undefined
}

/** Whether a read failed because the database no longer has the snapshot, or does not have it yet. */
export function isSnapshotGone(error: unknown): boolean {
  return hasCode(error, snapshotCodes)
}

/** Creates the 503 for a read that the database has no snapshot for. */
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

/** Creates the 503 for a read that has exceeded its time limit. Appends the sentence `advice` to the message. */
export function tookTooLong(timeoutMs: number, advice?: string): ApiError {
  const message = `The query took longer than ${timeoutMs} ms (api.rest.queryTimeoutMs)`
  return unavailable(advice === undefined ? message : `${message}. ${advice}`, 'time')
}

/** Whether a read has exceeded its time limit. */
export const isOverdue = (error: unknown): boolean => hasReason(error, 'time')

const beyondMemory = (): ApiError =>
  fail('validation', {
    message: 'The query needs more memory than the database allows',
    reason: 'memory',
  })

/** Whether a query needs more memory than the database allows. */
export const isBeyondMemory = (error: unknown): boolean => hasReason(error, 'memory')

const hasReason = (error: unknown, reason: string): boolean =>
  error instanceof ApiError && error.params['reason'] === reason

/** Creates the error for a write that would make a document larger than MongoDB's limit. */
export const documentTooLarge = (): ApiError => tooManyBytes('The document is larger than 16 MB')

/** Creates the error for a query whose command is larger than MongoDB's limit. */
const queryTooLarge = (): ApiError => tooManyBytes('The query is larger than 16 MB')

const tooManyBytes = (message: string): ApiError => {
  const bound = 'document size'
  return fail('payload-too-large', { message, bound }, { bound, limit: maxDocumentBytes })
}

/** Whether a document or command is too large. Beyond 17 MB, the driver throws Node's RangeError. */
const isDocumentSize = (error: Error): boolean =>
  hasCode(error, documentSizeCodes) ||
  (isOfDriver(error) && /^Document is larger than/.test(error.message)) ||
  (error instanceof RangeError && /[/\\]bson[/\\]/.test(error.stack ?? '') && isOffset(error))

const isOffset = ({ message }: RangeError): boolean => /"?offset"? is out of/.test(message)

function unavailable(message: string, reason?: string): ApiError {
  return fail('unavailable', { message, reason }, {}, { 'Retry-After': '1' })
}
