import type { MongoClient } from 'mongodb'
import { BSON, MongoServerError } from 'mongodb'
import { commandKind, documentsWrittenBy } from './written-documents.js'
import type { CountChange, CountListener } from './count-changes.js'
import { changeOf, counted, timeOf, together } from './count-changes.js'
import type { WriteListener, WrittenDocuments } from './written-documents.js'

/**
 * Version numbers for the contents of collections, kept in this process. While a number stays the same, nothing was
 * written through this client. Every command of the client goes through here (`driver-connection.ts`), so no write can
 * be missed. A command counts as a write unless it is known to only read.
 */
export type CollectionVersions = Readonly<{
  /** Returns a function that returns the current version number of several collections together. */
  watch: (collections: readonly string[]) => Watched
  /** Records that other processes may have written to a collection; absent = to any. */
  raise: (collection?: string) => void
  /** @param listener called when documents are added or removed; a client has only one such listener */
  followCounts: (listener: CountListener) => void
  /** @param listener called when documents were or may have been written; a client has only one such listener */
  followWrites: (listener: WriteListener) => void
}>

/**
 * Returns the current version number. It changes as soon as something may have been written, and is undefined during a
 * write. If the number is the same before and after content is read, that content was valid for the whole time in
 * between.
 */
export type Watched = () => number | undefined

/** Milliseconds for which a write without a response may still take effect. No write takes longer. */
const doubtMs = 600_000

/** State of one collection. The version only grows. `inFlight` is the number of in-flight writes. */
type Counter = { version: number; inFlight: number }

/** An in-flight write. */
type InFlightWrite = Readonly<{
  /** Call it when the write has ended or can no longer take effect. Can be called repeatedly. */
  ended: () => void
}>

/** The writes of a session's transaction, and its commits that got no response. */
type Uncommitted = {
  collections: Set<string>
  unanswered: InFlightWrite[]
  counts: Map<string, CountChange>
  documents: WrittenDocuments[]
}

/** Records the commands of a client. */
export type WriteTracker = CollectionVersions &
  Readonly<{
    /** Sends a command. If it may write, raises the versions before it is sent and when it has ended. */
    noting: <T>(
      command: Readonly<Record<string, unknown>>,
      session: Session | undefined,
      send: () => Promise<T>,
    ) => Promise<T>
    /** Makes all version numbers undefined for `forMs` milliseconds, because reads may return outdated content. */
    doubt: (forMs: number) => void
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
  const begin = (collections: Iterable<string> | 'all'): InFlightWrite => {
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
    doubt: (forMs) => {
      setTimeout(begin('all').ended, forMs).unref()
    },
    noting: (command, session, send) => {
      const kind = commandKind(command)
      if (kind === 'abortTransaction' && session !== undefined) {
        uncommittedOf(session).counts.clear()
        uncommittedOf(session).documents = []
      }
      const written = kind === 'commitTransaction' ? [] : writtenBy(kind, command)
      if (written !== 'all' && written.length === 0 && kind !== 'commitTransaction') return send()
      const [collection = ''] = written === 'all' ? [] : written
      const counts = counted.has(kind) ? listener : undefined
      const isUncounted = written === 'all' || kind === 'drop'
      // Writes of a transaction are invisible to others before the commit, so they raise no versions yet.
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
            uncommitted.counts.set(collection, together(uncommitted.counts.get(collection), change))
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
          // The response to this commit also ends its earlier tries that got no response.
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

/** Stores the tracker of a client. Call it once for each new client. */
export const keepNotes = (client: MongoClient, tracker: WriteTracker): void =>
  void notes.set(client, tracker)

/**
 * Returns the versions of the collections that a client reads and writes; undefined unless `createClient` created the
 * client.
 */
export const versionsOf = (client: MongoClient): CollectionVersions | undefined => notes.get(client)

/** Whether the database reported a result, or the command was never sent. */
const wasAnswered = (error: unknown): boolean =>
  error instanceof MongoServerError || error instanceof BSON.BSONError

/** Returns the names of the collections whose content a command may change. */
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

/** Commands that change one collection, named by their first value. */
const writesOne: ReadonlySet<string> = new Set([
  'insert',
  'update',
  'delete',
  'findAndModify',
  'drop',
  'create',
  'collMod',
])

/** Commands that change no content. */
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
