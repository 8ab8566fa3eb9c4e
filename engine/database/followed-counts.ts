import type { ChangeStream, ChangeStreamDocument, Db, Document, Timestamp } from 'mongodb'
import { monotonicNow } from '../monotonic-now.js'
import { versionsOf } from './collection-versions.js'
import type { Counts, LiveCounts } from './live-counts.js'
import { applyChange, countNow, sumOf, withTimeout } from './live-counts.js'
import type { CountChange, When } from './written-documents.js'

/** Milliseconds that the server waits for an event before it returns an empty batch. */
const silenceMs = 250

/**
 * Maximum milliseconds until counts include the writes of other processes. If the change stream is silent for longer,
 * counts are unknown.
 */
const maxSilenceMs = 1_000

/** Maximum milliseconds to wait for the change stream to open, and then for the events of this process's own writes. */
const waitTimeoutMs = 1_000

/** Milliseconds until a failed change stream is reopened. The second value applies if the server denied the stream. */
const pauseMs = 500
const deniedPauseMs = 60_000

/** Maximum number of events of a collection during a count. With more events, the count is abandoned. */
const maxEvents = 100_000

/** The events up to `time`, of which `count` have this time. */
type Events = Readonly<{ time: Timestamp; count: number }>

/** A change stream event. `by` is the change in the number of documents. `locale` is undefined if not known. */
type Event = Readonly<{ time: Timestamp; by: number; locale: string | null | undefined }>

type Followed = Counts & {
  /** The snapshot time of each count, by key. It may be later than the last event that has arrived. */
  readonly countedAt: Map<string, Timestamp>
  /** Events that have arrived while counts are in progress. */
  events: Event[]
  /** Time of the last event that has arrived, and the number of events with that time. */
  last: Events | undefined
  /** The last write of this process. The counts include it once `count` events with this `time` have arrived. */
  awaited: Events | undefined
  readonly arrived: Set<() => void>
}

/**
 * Creates counts for a replica set that other processes also write to. Documents are counted once in a snapshot, and a
 * change stream keeps the count up to date. Requests wait for the events of this process's own writes.
 */
export function followedCounts(db: Db): LiveCounts {
  const collections = new Map<string, Followed>()
  const end = new AbortController()
  let stream: ChangeStream | undefined
  let running: Promise<void> | undefined
  let lastSeenAt = -Infinity
  /** Time from which the open change stream reports events. A count must not use a snapshot from before this time. */
  let since: Timestamp | undefined
  let notBefore = -Infinity

  const followedOf = (collection: string): Followed => {
    const followed: Followed = collections.get(collection) ?? {
      known: new Map(),
      countedAt: new Map(),
      counting: new Map(),
      events: [],
      last: undefined,
      awaited: undefined,
      arrived: new Set(),
    }
    collections.set(collection, followed)
    return followed
  }
  const forgetAll = (): void => {
    since = undefined
    lastSeenAt = -Infinity
    collections.forEach(({ arrived }) => arrived.forEach((notify) => notify()))
    // Counts in progress still write to the removed objects. This has no effect.
    collections.clear()
  }
  /**
   * Discards all counts and reopens the change stream. Called if it is unknown which documents have changed, or which
   * events to wait for.
   */
  const restart = (): void => {
    forgetAll()
    stream?.close().catch(() => undefined)
  }
  const handleEvent = (event: ChangeStreamDocument): void => {
    // The driver's type requires `clusterTime`, but events such as `invalidate` may not have one.
    const time = (event as Readonly<{ clusterTime?: Timestamp }>).clusterTime
    // A reopened stream begins with the event that caused the restart. Ignore it.
    if (time !== undefined && since !== undefined && time.compare(since) <= 0) return
    const { operationType } = event
    if (time === undefined || (operationType !== 'insert' && operationType !== 'delete'))
      return restart()
    const isInsert = operationType === 'insert'
    const locale = isInsert ? localeIn(event.fullDocument) : undefined
    const followed = followedOf(event.ns.coll)
    const { last, known, countedAt, counting, events, arrived } = followed
    const isSame = last?.time.equals(time) === true
    followed.last = { time, count: isSame ? last.count + 1 : 1 }
    const one = { time, by: isInsert ? 1 : -1, locale }
    applyChange(known, changeOf(one), (key) => isUpTo(time, countedAt.get(key)))
    if (counting.size > 0 && events.length <= maxEvents) events.push(one)
    arrived.forEach((notify) => notify())
  }
  const follow = async (opened: () => void): Promise<void> => {
    const { operationTime } = (await db.command({ ping: 1 })) as { operationTime?: Timestamp }
    if (operationTime === undefined) throw new Error('The database does not report its time')
    stream = db.watch(changeStreamPipeline, {
      maxAwaitTimeMS: silenceMs,
      startAtOperationTime: operationTime,
      readPreference: 'primary',
    })
    try {
      const first = await stream.tryNext()
      since = operationTime
      lastSeenAt = monotonicNow()
      if (first !== null) handleEvent(first)
      opened()
      while (!end.signal.aborted) {
        const event = await stream.tryNext()
        lastSeenAt = monotonicNow()
        if (event !== null) handleEvent(event)
      }
    } finally {
      forgetAll()
      await stream.close().catch(() => undefined)
    }
  }
  /** Resolves when the change stream has been opened or could not be opened. */
  const open = async (): Promise<void> => {
    if (running !== undefined || monotonicNow() < notBefore || end.signal.aborted) return
    await new Promise<void>((opened) => {
      running = follow(opened)
        .catch((error: unknown) => {
          notBefore = monotonicNow() + (isDenied(error) ? deniedPauseMs : pauseMs)
        })
        .finally(() => {
          running = undefined
          opened()
        })
    })
  }
  const isCurrent = (): boolean => since !== undefined && monotonicNow() - lastSeenAt < maxSilenceMs

  versionsOf(db.client).followWrites((written = [], at) => {
    if (at === undefined) return
    const documentsOf = new Map<string, number>()
    for (const { collection, change = { documents: 0 } } of written)
      documentsOf.set(collection, (documentsOf.get(collection) ?? 0) + change.documents)
    for (const [collection, documents] of documentsOf) {
      if (documents === 0) continue
      const followed = followedOf(collection)
      followed.awaited = later(followed.awaited, documents, at)
      if (followed.awaited === undefined) restart()
    }
  })

  /** Whether the events of all writes of this process to the collection have arrived. */
  const isComplete = ({ awaited, last }: Followed): boolean => {
    if (awaited === undefined || since === undefined || awaited.time.compare(since) <= 0)
      return true
    if (last === undefined) return false
    const order = last.time.compare(awaited.time)
    return order > 0 || (order === 0 && last.count >= awaited.count)
  }
  /** Resolves with undefined if the events take too long. */
  const complete = (followed: Followed): Promise<true | undefined> =>
    withTimeout(
      waitTimeoutMs,
      new Promise((resolve) => {
        const notify = (): void => {
          if (!isComplete(followed)) return
          followed.arrived.delete(notify)
          resolve(true)
        }
        followed.arrived.add(notify)
      }),
    )

  const count = async (followed: Followed, collection: string, key: string): Promise<void> => {
    const from = since
    if (from === undefined) return
    if (followed.counting.size === 0) followed.events = []
    await db.client.withSession({ snapshot: true }, async (session) => {
      const counted = await countNow(db, collection, key, session)
      // The driver's types do not declare `snapshotTime`.
      const { snapshotTime } = session as Readonly<{ snapshotTime?: Timestamp }>
      // Discard the count: the stream was reopened meanwhile, or the snapshot is older than the stream.
      if (since !== from || snapshotTime === undefined || snapshotTime.compare(from) < 0) return
      if (followed.events.length > maxEvents) return
      const behind = new Map([[key, counted]])
      for (const event of followed.events)
        if (!isUpTo(event.time, snapshotTime)) applyChange(behind, changeOf(event))
      const found = behind.get(key)
      if (found === undefined) return
      followed.known.set(key, found)
      followed.countedAt.set(key, snapshotTime)
    })
  }
  return {
    countOf: async (collection, locales, waitMs) => {
      if (since === undefined) await withTimeout(waitTimeoutMs, open())
      if (!isCurrent()) return undefined
      const followed = followedOf(collection)
      // A delete event discards the counts of each locale, so wait for it before deciding what to count.
      if (!isComplete(followed) && (await complete(followed)) === undefined) return undefined
      // The stream may have been lost meanwhile.
      if (!isCurrent()) return undefined
      const sum = await sumOf(followed, locales, waitMs, (key) => count(followed, collection, key))
      return sum === 'late' || isCurrent() ? sum : undefined
    },
    stop: async () => {
      end.abort()
      stream?.close().catch(() => undefined)
      await withTimeout(waitTimeoutMs, running ?? Promise.resolve())
    },
  }
}

/** Omits collections whose names begin with `_`. They belong to the service, and no endpoint lists their documents. */
const changeStreamPipeline: Document[] = [
  {
    $match: {
      $or: [
        { operationType: { $in: ['insert', 'delete'] }, 'ns.coll': { $not: /^_/ } },
        { operationType: { $in: ['drop', 'rename', 'dropDatabase', 'invalidate'] } },
      ],
    },
  },
  { $project: { operationType: 1, ns: 1, clusterTime: 1, 'fullDocument.locale': 1 } },
]

/** Returns the locale of a document: null if it has none, undefined if the stored value is not a locale. */
function localeIn(document: Document | undefined): string | null | undefined {
  const locale: unknown = document?.['locale'] ?? null
  return locale === null || typeof locale === 'string' ? locale : undefined
}

/** Converts an event to a change. Delete events do not contain the locale. */
function changeOf({ by, locale }: Event): Pick<CountChange, 'by' | 'byLocale'> {
  return { by, byLocale: locale === undefined ? undefined : new Map([[locale, by]]) }
}

const isUpTo = (time: Timestamp, limit: Timestamp | undefined): boolean =>
  limit !== undefined && time.compare(limit) <= 0

/** Returns the event to wait for after another write; undefined if the time of the write is unknown. */
function later(
  awaited: Events | undefined,
  documents: number,
  { time, isTogether }: When,
): Events | undefined {
  if (time === undefined) return undefined
  if (awaited !== undefined && awaited.time.compare(time) > 0) return awaited
  return { time, count: isTogether ? documents : 1 }
}

/**
 * Error codes of a server that does not open a change stream: `Unauthorized`, and the codes of servers without oplog.
 */
const denials: ReadonlySet<unknown> = new Set([13, 40573, 40324])

const isDenied = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && denials.has(error.code)
