import { ApiError, fail, notDone } from '../errors.js'

// By name, so that layers without the driver can ask too.
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
 * Of the server's error codes: `InterruptedAtShutdown`, `InterruptedDueToReplStateChange`, `LegacyNotPrimary`,
 * `NotPrimaryNoSecondaryOk`, `NotPrimaryOrSecondary`, `NotWritablePrimary`, `PrimarySteppedDown`, `ShutdownInProgress`,
 * and `FailedToSatisfyReadPreference`, which a router says of a shard without a primary.
 */
const electionCodes = [11600, 11602, 10058, 13435, 13436, 10107, 189, 91, 133]

/** How the server calls a transaction that may be begun again, and a commit that nobody answered. */
const transactionLabels = ['TransientTransactionError', 'UnknownTransactionCommitResult']

const interrupted = 11601
const interruptedCodes = [interrupted]

/** `MaxTimeMSExpired`, `WriteConcernTimeout` and `Interrupted` of the server's error codes. */
const timeoutCodes = [50, 64, interrupted]

/**
 * `ExceededMemoryLimit`, `QueryExceededMemoryLimitNoDiskUseAllowed`, `BSONObjectTooLarge`, and what `$lookup`
 * says of too many targets of one entry.
 */
const sizeCodes = [146, 292, 10334, 4568]

/** Largest document that MongoDB stores, in bytes. */
export const maxDocumentBytes = 16 * 1024 * 1024

/** `BSONObjectTooLarge`, and the two codes of an update that would make its document too large. */
const documentSizeCodes = [10334, 17419, 17420]

/** `SnapshotTooOld` and `SnapshotUnavailable`. */
const snapshotCodes = [239, 246]

/** A write of several steps between two of which the database was lost: it may be stored in part. */
export class InterruptedWrite extends Error {
  override readonly name = 'InterruptedWrite'

  constructor() {
    super('The database was lost between two steps of a write')
  }
}

/**
 * What the client is told of an error of the database, undefined where the error is another: that it
 * took too long or cannot be reached is a 503, which says that trying again helps. `timeoutMs` is the
 * time that a query had; one that the database has no room for is a 400.
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
  if (isPlanKilled(error)) return unavailable('The indexes of the database were changed meanwhile')
  if (isElection(error)) return unavailable('The database is about to have another primary')
  if (isOfDriver(error) && transactionLabels.some((label) => error.hasErrorLabel?.(label) === true))
    return unavailable('The database did not finish the write')
  return awayNames.includes(error.name) ? unreachable() : undefined
}

/** The error inside an error of `insertMany`, which does not say why all of it failed; any other error as it is. */
const wrappedIn = (error: unknown): unknown =>
  error instanceof Error && 'errorResponse' in error && error.errorResponse instanceof Error
    ? wrappedIn(error.errorResponse)
    : error

/** What is told where no server of the database takes what is asked. */
export function unreachable(): ApiError {
  return unavailable('The database cannot be reached')
}

/** What is thrown where it is known that nothing was done: of an error of the database, that it may be tried again. */
export function undone(error: unknown): unknown {
  const told = databaseError(error)
  if (told === undefined) return error
  // Trying again does not make a document smaller.
  if (told.code !== 'unavailable') return told
  const known = notDone(`${told.message}. Nothing was changed`)
  // For the log, which otherwise would not tell what happened.
  known.cause = error
  return known
}

/** Whether a command was refused because the server that got it is not the primary, or not for long. */
export function isElection(error: unknown): boolean {
  return hasCode(error, electionCodes)
}

/**
 * `HostUnreachable`, `HostNotFound`, `NetworkTimeout`, `ReadConcernMajorityNotAvailableYet`, `ExceededTimeLimit` and
 * `SocketException`, which together with an election are what a driver reads again after.
 */
const passingCodes = [6, 7, 89, 134, 262, 9001]

/** Names in `awayNames` of a client that is closed: another try does not help. */
const closedNames = ['MongoTopologyClosedError', 'MongoClientClosedError', 'MongoNotConnectedError']

/** Whether the driver found no server for a command in time. */
export function isUnserved(thrown: unknown): boolean {
  const error = wrappedIn(thrown)
  return error instanceof Error && error.name === 'MongoServerSelectionError'
}

/** Whether a server was reached but did not answer; another try may succeed. */
export function isPassing(thrown: unknown): boolean {
  const error = wrappedIn(thrown)
  if (!(error instanceof Error)) return false
  if (awayNames.includes(error.name)) return !closedNames.includes(error.name) && !isUnserved(error)
  return isElection(error) || hasCode(error, passingCodes)
}

const planKilled = [175]

/** Whether the database gave up a query because an index, or the collection, that it went through is gone. */
export function isPlanKilled(error: unknown): boolean {
  return hasCode(error, planKilled)
}

/** Whether somebody ended a command, or the session that it belongs to. */
export function isInterrupted(error: unknown): boolean {
  return hasCode(error, interruptedCodes)
}

/** Whether a command was answered, and the majority did not say in time that it stays so: whatever it says else. */
export function isUnconfirmed(error: unknown): boolean {
  return isOfDriver(error) && error.errorResponse?.writeConcernError !== undefined
}

/** Whether the database cannot read any more, or not yet, as of the moment that a read began with. */
export function isSnapshotGone(error: unknown): boolean {
  return hasCode(error, snapshotCodes)
}

/** What a read is answered with that could not be as of one moment. */
export function snapshotGone(): ApiError {
  return unavailable('The database changes too fast to be read as of one moment')
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

/** Makes the 503 for a read whose time, `timeoutMs`, is over. `advice` is added as a second sentence. */
export function tookTooLong(timeoutMs: number, advice?: string): ApiError {
  const message = `The query took longer than ${timeoutMs} ms (api.rest.queryTimeoutMs)`
  return unavailable(advice === undefined ? message : `${message}. ${advice}`, 'time')
}

/** Whether a read was refused because its time was over. */
export const isOverdue = (error: unknown): boolean => hasReason(error, 'time')

const beyondMemory = (): ApiError =>
  fail('validation', {
    message: 'The query has to go through more than the database has memory for',
    reason: 'memory',
  })

/** Whether a query was refused because the database has no room for what it goes through. */
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
