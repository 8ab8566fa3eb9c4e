import type { MongoClient, Timestamp } from 'mongodb'
import { BSON, MongoServerError } from 'mongodb'
import type { When, WriteListener, WrittenDocuments } from './written-documents.js'
import { commandKind, documentCommands, documentsWrittenBy } from './written-documents.js'

/**
 * Version numbers for the contents of collections. While a collection's number stays the same, this client has written
 * nothing to it. A command counts as a write unless it is known to only read.
 */
export type CollectionVersions = Readonly<{
  /** Returns a function that returns the sum of the version numbers of several collections. */
  watch: (collections: readonly string[]) => Watched
  /** Records that another process may have written to a collection, or to any collection if none is given. */
  raise: (collection?: string) => void
  /** Adds a listener for documents that a command has written or may have written. */
  followWrites: (listener: WriteListener) => void
}>

/**
 * Returns the current version number, or undefined during a write. If it is the same before and after a read, the
 * content that was read was valid all that time.
 */
export type Watched = () => number | undefined

/** Milliseconds during which a write that got no response may still take effect. No write takes longer. */
const doubtMs = 600_000

type Counter = { version: number; inFlight: number }

/** The writes of a session's open transaction, and its commits that got no response. */
type Uncommitted = Readonly<{
  collections: Set<string>
  documents: (WrittenDocuments | undefined)[]
  unanswered: (() => void)[]
}>

/** Tracks the commands of a client, and raises the version numbers of the collections they write to. */
export type WriteTracker = CollectionVersions &
  Readonly<{
    /** Sends a command. Raises the version numbers before and after a command that may write. */
    trackCommand: <T>(
      command: Readonly<Record<string, unknown>>,
      session: Session | undefined,
      send: () => Promise<T>,
    ) => Promise<T>
    /**
     * Makes all version numbers undefined for `forMs` milliseconds, because reads may return old content in this time.
     */
    distrustFor: (forMs: number) => void
  }>

type Session = Readonly<{ inTransaction: () => boolean }>

export function createWriteTracker(): WriteTracker {
  const counters = new Map<string, Counter>()
  const everything: Counter = { version: 0, inFlight: 0 }
  const counterOf = (collection: string): Counter => {
    const known = counters.get(collection) ?? { version: 0, inFlight: 0 }
    counters.set(collection, known)
    return known
  }
  const listeners: WriteListener[] = []
  /**
   * Records that a write was sent. Returns a function that records that it has finished or can no longer take effect,
   * and that may be called repeatedly.
   */
  const begin = (collections: readonly string[] | 'all'): (() => void) => {
    const raised = collections === 'all' ? [everything] : collections.map(counterOf)
    for (const counter of raised) {
      counter.version += 1
      counter.inFlight += 1
    }
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      for (const counter of raised) {
        counter.version += 1
        counter.inFlight -= 1
      }
    }
  }
  const sessions = new WeakMap<Session, Uncommitted>()
  const uncommittedOf = (session: Session): Uncommitted => {
    const known = sessions.get(session) ?? { collections: new Set(), documents: [], unanswered: [] }
    sessions.set(session, known)
    return known
  }
  return {
    watch: (collections) => {
      const watched = [everything, ...[...new Set(collections)].map(counterOf)]
      return () => {
        let sum = 0
        for (const { version, inFlight } of watched) {
          if (inFlight > 0) return undefined
          sum += version
        }
        return sum
      }
    },
    raise: (collection) => begin(collection === undefined ? 'all' : [collection])(),
    followWrites: (listener) => void listeners.push(listener),
    distrustFor: (forMs) => void setTimeout(begin('all'), forMs).unref(),
    trackCommand: (command, session, send) => {
      const kind = commandKind(command)
      const isCommit = kind === 'commitTransaction'
      if (session !== undefined && kind === 'abortTransaction') sessions.delete(session)
      const committed = isCommit && session !== undefined ? sessions.get(session) : undefined
      const written = isCommit ? [...(committed?.collections ?? [])] : writtenBy(kind, command)
      if (written !== 'all' && written.length === 0) return send()
      // Other clients cannot see the writes of a transaction until it commits. Raise the version numbers then.
      if (session?.inTransaction() === true && !isCommit && written !== 'all') {
        const { collections, documents } = uncommittedOf(session)
        for (const collection of written) collections.add(collection)
        return send().then((answer) => {
          documents.push(documentsWrittenBy(command, answer))
          return answer
        })
      }
      const end = begin(written)
      const report = (answer?: unknown, at?: When): void => {
        if (listeners.length === 0) return
        const documents = committed?.documents ?? [documentsWrittenBy(command, answer)]
        const known = documents.filter((one) => one !== undefined)
        if (written !== 'all' && known.length === 0) return
        for (const listener of listeners) listener(written === 'all' ? undefined : known, at)
      }
      return send().then(
        (answer) => {
          end()
          // This response also settles the earlier attempts to send this commit that got no response.
          committed?.unanswered.forEach((endEarlier) => endEarlier())
          report(answer, { time: timeOf(answer), isTogether: isCommit })
          // The timers of earlier attempts must not report these documents again.
          committed?.documents.splice(0)
          if (session !== undefined && isCommit) sessions.delete(session)
          return answer
        },
        (error: unknown) => {
          report()
          if (wasAnswered(error)) end()
          else {
            committed?.unanswered.push(end)
            setTimeout(() => {
              end()
              report()
            }, doubtMs).unref()
          }
          throw error
        },
      )
    },
  }
}

const notes = new WeakMap<MongoClient, WriteTracker>()

/** Stores the write tracker of a new client. */
export const setWriteTracker = (client: MongoClient, tracker: WriteTracker): void =>
  void notes.set(client, tracker)

/** Returns the collection versions of a client. Throws an error if the client was not created by `createClient`. */
export function versionsOf(client: MongoClient): CollectionVersions {
  const versions = notes.get(client)
  if (versions === undefined) throw new Error('The client was not created by createClient')
  return versions
}

/** Whether a failed command can no longer take effect: the database answered, or the command was never sent. */
const wasAnswered = (error: unknown): boolean =>
  error instanceof MongoServerError || error instanceof BSON.BSONError

/** Returns the time of a write from its response. Only the responses of a replica set contain a time. */
const timeOf = (answer: unknown): Timestamp | undefined =>
  (answer as Readonly<{ operationTime?: Timestamp | null }> | null)?.operationTime ?? undefined

/** Returns the collections whose content a command may change; `'all'` if they are not known. */
function writtenBy(
  kind: string,
  command: Readonly<Record<string, unknown>>,
): readonly string[] | 'all' {
  if (kind === 'aggregate') return writes(command['pipeline']) ? 'all' : nothing
  if (readsOnly.has(kind)) return nothing
  const collection = command[kind]
  return writesOne.has(kind) && typeof collection === 'string' ? [collection] : 'all'
}

const nothing: readonly string[] = []

const writes = (pipeline: unknown): boolean => {
  const last: unknown = Array.isArray(pipeline) ? pipeline.at(-1) : undefined
  return typeof last === 'object' && last !== null && ('$out' in last || '$merge' in last)
}

/** Commands whose first member names the collection that they change. They change no other. */
const writesOne: ReadonlySet<string> = new Set([
  ...documentCommands,
  ...['drop', 'create', 'collMod'],
])

/** Commands that change no content of collections. */
const readsOnly: ReadonlySet<string> = new Set([
  'find',
  'getMore',
  'killCursors',
  'count',
  'distinct',
  'explain',
  'collStats',
  'dbStats',
  'listCollections',
  'listDatabases',
  'listIndexes',
  'createIndexes',
  'dropIndexes',
  'hello',
  'ismaster',
  'isMaster',
  'ping',
  'buildInfo',
  'serverStatus',
  'hostInfo',
  'saslStart',
  'saslContinue',
  'authenticate',
  'connectionStatus',
  'getParameter',
  'abortTransaction',
  'endSessions',
  'refreshSessions',
  'killSessions',
  'killOp',
  'replSetGetStatus',
  'getCmdLineOpts',
  'getLog',
])
