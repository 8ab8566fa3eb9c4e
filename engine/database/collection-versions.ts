import type { MongoClient } from 'mongodb'
import { BSON, MongoServerError } from 'mongodb'
import { commandKind, documentsWrittenBy } from './written-documents.js'
import type { CountChange, CountListener } from './count-changes.js'
import { changeOf, countChangingCommands, timeOf, addChanges } from './count-changes.js'
import type { WriteListener, WrittenDocuments } from './written-documents.js'

/**
 * Version numbers for the contents of collections. While a collection's number stays the same, this client has written
 * nothing to it. A command counts as a write unless it is known to only read.
 */
export type CollectionVersions = Readonly<{
  /** Returns a function that returns the sum of the version numbers of several collections. */
  watch: (collections: readonly string[]) => Watched
  /** Records that another process may have written to a collection, or to any collection if none is given. */
  raise: (collection?: string) => void
  /** Sets the client's only listener for added and removed documents. */
  followCounts: (listener: CountListener) => void
  /** Sets the client's only listener for documents that a command has written or may have written. */
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

/** A write that was sent and may still take effect. */
type SentWrite = Readonly<{
  /** Records that the write has finished or can no longer take effect. May be called repeatedly. */
  ended: () => void
}>

/**
 * The collections that a session's open transaction has written to, and the commits of the session that got no
 * response.
 */
type Uncommitted = {
  collections: Set<string>
  unanswered: SentWrite[]
  counts: Map<string, CountChange>
  documents: WrittenDocuments[]
}

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
  let listener: CountListener | undefined
  let writeListener: WriteListener | undefined
  const begin = (collections: Iterable<string> | 'all'): SentWrite => {
    const raised = collections === 'all' ? [everything] : [...collections].map(counterOf)
    for (const counter of raised) {
      counter.version += 1
      counter.inFlight += 1
    }
    let isOver = false
    return {
      ended: () => {
        if (isOver) return
        isOver = true
        for (const counter of raised) {
          counter.version += 1
          counter.inFlight -= 1
        }
      },
    }
  }
  const sessions = new WeakMap<Session, Uncommitted>()
  const uncommittedOf = (session: Session): Uncommitted => {
    const known = sessions.get(session) ?? {
      collections: new Set(),
      unanswered: [],
      counts: new Map<string, CountChange>(),
      documents: [],
    }
    sessions.set(session, known)
    return known
  }
  return {
    watch: (collections) => {
      const watched = [everything, ...new Set(collections)].map((it) =>
        typeof it === 'string' ? counterOf(it) : it,
      )
      return () => {
        let sum = 0
        for (const { version, inFlight } of watched) {
          if (inFlight > 0) return undefined
          sum += version
        }
        return sum
      }
    },
    raise: (collection) => {
      begin(collection === undefined ? 'all' : [collection]).ended()
      if (collection === undefined) listener?.lost()
    },
    followCounts: (follower) => {
      listener = follower
    },
    followWrites: (follower) => {
      writeListener = follower
    },
    distrustFor: (forMs) => {
      setTimeout(begin('all').ended, forMs).unref()
    },
    trackCommand: (command, session, send) => {
      const kind = commandKind(command)
      if (kind === 'abortTransaction' && session !== undefined) {
        uncommittedOf(session).counts.clear()
        uncommittedOf(session).documents = []
      }
      const written = kind === 'commitTransaction' ? [] : writtenBy(kind, command)
      if (written !== 'all' && written.length === 0 && kind !== 'commitTransaction') return send()
      const [collection = ''] = written === 'all' ? [] : written
      const counts = countChangingCommands.has(kind) ? listener : undefined
      const isUncounted = written === 'all' || kind === 'drop'
      // Other clients cannot see the writes of a transaction until it commits. Raise the version numbers then.
      if (session?.inTransaction() === true && kind !== 'commitTransaction' && written !== 'all') {
        const uncommitted = uncommittedOf(session)
        for (const collection of written) uncommitted.collections.add(collection)
        if (counts === undefined && writeListener === undefined) return send()
        return send().then((answer) => {
          const documents =
            writeListener === undefined ? undefined : documentsWrittenBy(command, answer)
          if (documents !== undefined) uncommitted.documents.push(documents)
          const change = counts === undefined ? undefined : changeOf(command, answer)
          if (change !== undefined)
            uncommitted.counts.set(
              collection,
              addChanges(uncommitted.counts.get(collection), change),
            )
          return answer
        })
      }
      const isCommit = kind === 'commitTransaction' && session !== undefined
      const uncommitted = isCommit ? uncommittedOf(session) : undefined
      const write = begin(uncommitted?.collections ?? written)
      const recordWritten = (answer?: unknown): void => {
        if (writeListener === undefined) return
        if (written === 'all') return writeListener(undefined)
        const documents = uncommitted?.documents ?? [documentsWrittenBy(command, answer)]
        const known = documents.filter((one) => one !== undefined)
        if (known.length > 0) writeListener(known)
      }
      if (isUncounted) listener?.lost()
      counts?.began(collection)
      return send().then(
        (answer) => {
          write.ended()
          if (isUncounted) listener?.lost()
          const change = counts === undefined ? undefined : changeOf(command, answer)
          counts?.ended(collection, 'done')
          if (change !== undefined)
            counts?.changed(collection, change, { time: timeOf(answer), isTogether: false })
          // This response also settles the earlier attempts to send this commit that got no response.
          uncommitted?.unanswered.splice(0).forEach(({ ended }) => ended())
          for (const [collection, change] of uncommitted?.counts ?? [])
            listener?.changed(collection, change, { time: timeOf(answer), isTogether: true })
          uncommitted?.counts.clear()
          recordWritten(answer)
          if (uncommitted !== undefined) uncommitted.documents = []
          return answer
        },
        (error: unknown) => {
          recordWritten()
          counts?.ended(collection, wasAnswered(error) ? 'refused' : 'unanswered')
          if (wasAnswered(error)) write.ended()
          else {
            uncommitted?.unanswered.push(write)
            setTimeout(() => {
              write.ended()
              recordWritten()
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

/** Returns the collection versions of a client, or undefined if the client was not created by `createClient`. */
export const versionsOf = (client: MongoClient): CollectionVersions | undefined => notes.get(client)

/** Whether a failed command can no longer take effect: the database answered, or the command was never sent. */
const wasAnswered = (error: unknown): boolean =>
  error instanceof MongoServerError || error instanceof BSON.BSONError

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
  'insert',
  'update',
  'delete',
  'findAndModify',
  'drop',
  'create',
  'collMod',
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
