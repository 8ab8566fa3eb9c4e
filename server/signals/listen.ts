import { setTimeout as sleep } from 'node:timers/promises'
import type { ChangeStream, ChangeStreamDocument, Db, Document } from 'mongodb'
import type { Change } from './signals.js'

type Options = Readonly<{
  db: Db
  collections: readonly string[]
  /**
   * `_id` of the document in `_instances` to which this process writes pulses: numbers that must come back through the
   * stream.
   */
  instance: string
  /** Called when the stream has been opened: from now on all writes arrive. Values cached before may be outdated. */
  opened: () => void
  changed: (collection: string, change: Change) => void
  /**
   * Called with the name of a written collection of content, or without an argument if any may have been written. If
   * absent, such collections are not watched.
   */
  written?: ((collection?: string) => void) | undefined
  /** Called when the stream has ended or cannot be opened. */
  failed: (error: unknown) => void
}>

/** Time after which a pulse counts as lost. Usually it takes a few milliseconds. */
const pulseMs = 1_000

/** Pauses before the stream is reopened; the second one for databases that deny change streams. */
const pauseMs = 500
const deniedPauseMs = 60_000

/** How long the server waits for a write before it replies with an empty batch. Closing the stream may take as long. */
const silenceMs = 250

const closeMs = 2_000

const presences = '_instances'

/** Watches a replica set's collections with a change stream, which is reopened whenever it ends. */
export function listen({ db, instance, ...options }: Options) {
  const end = new AbortController()
  const instances = db.collection<{ _id: string; pulse: number }>(presences)
  let stream: ChangeStream | undefined
  let isOpen = false
  let pulses = 0
  let arrived: ((isThere: boolean) => void) | undefined

  const hear = (event: ChangeStreamDocument) => {
    if (!('ns' in event) || !('coll' in event.ns)) {
      options.written?.()
      return
    }
    const { coll } = event.ns
    // The pipeline omits the name of a collection that a rename replaces, so any may have been written.
    options.written?.(event.operationType === 'rename' ? undefined : coll)
    if (coll !== presences) options.changed(coll, changeOf(event))
    else if (pulseOf(event) === pulses) arrived?.(true)
  }
  const follow = async () => {
    const followed = whatIsFollowed(options, instance)
    stream = db.watch(followed, { maxAwaitTimeMS: silenceMs })
    try {
      // The first query opens the stream.
      const first = await stream.tryNext()
      options.opened()
      isOpen = true
      if (first !== null) hear(first)
      while (!end.signal.aborted) hear(await stream.next())
    } finally {
      isOpen = false
      arrived?.(false)
      await stream.close().catch(() => undefined)
    }
  }
  const run = async () => {
    while (!end.signal.aborted) {
      let pause = pauseMs
      try {
        await follow()
      } catch (error) {
        if (end.signal.aborted) return
        options.failed(error)
        if (isDenied(error)) pause = deniedPauseMs
      }
      await sleep(pause, undefined, { ref: false, signal: end.signal }).catch(() => undefined)
    }
  }
  const running = run()

  return {
    isOpen: () => isOpen,
    /**
     * Writes a pulse and waits for it. Writes arrive in the order in which the majority applied them, so all writes
     * acknowledged before the pulse have arrived too.
     * @returns false if the pulse does not arrive in time; the stream is then reopened
     */
    pulse: async (): Promise<boolean> => {
      // Another pulse is in flight, so the caller must confirm the credentials without one.
      if (arrived !== undefined) return false
      pulses += 1
      const pulse = pulses
      let timer: NodeJS.Timeout | undefined
      const isThere = await new Promise<boolean>((resolve) => {
        arrived = resolve
        timer = setTimeout(() => resolve(false), pulseMs)
        instances
          // Do not wait for the majority, because the stream delivers the pulse only after the majority has applied it.
          .updateOne({ _id: instance }, { $set: { pulse } }, { writeConcern: { w: 1 } })
          .catch(() => resolve(false))
      })
      clearTimeout(timer)
      arrived = undefined
      if (!isThere) {
        isOpen = false
        stream?.close().catch(() => undefined)
      }
      return isThere
    },
    stop: async (): Promise<void> => {
      end.abort()
      stream?.close().catch(() => undefined)
      await Promise.race([running, sleep(closeMs, undefined, { ref: false })])
    },
  }
}

/**
 * Returns the pipeline of the change stream. Events contain no documents, because some are secret and followers read
 * what they need.
 */
function whatIsFollowed(
  { collections, written }: Pick<Options, 'collections' | 'written'>,
  instance: string,
): Document[] {
  const followed = [
    { 'ns.coll': { $in: collections } },
    ...(written === undefined ? [] : [{ 'ns.coll': { $not: notContent } }]),
    { 'ns.coll': presences, 'documentKey._id': instance },
    { operationType: { $in: ['dropDatabase', 'invalidate'] } },
  ]
  const fields = { operationType: 1, ns: 1, documentKey: 1, updateDescription: 1 }
  return [{ $match: { $or: followed } }, { $project: fields }]
}

/** Internal collections, and collections with the bytes of files. */
const notContent = /^(_|fs\.|system\.)/

function changeOf(event: ChangeStreamDocument): Change {
  const id: unknown = 'documentKey' in event ? event.documentKey._id : undefined
  if (event.operationType !== 'update') return { id }
  const { updatedFields = {}, removedFields = [] } = event.updateDescription
  return { id, fields: [...Object.keys(updatedFields), ...removedFields] }
}

const pulseOf = (event: ChangeStreamDocument): unknown =>
  event.operationType === 'update' ? event.updateDescription.updatedFields?.['pulse'] : undefined

/** Error codes for denied change streams: `Unauthorized`, and those of servers without an oplog. */
const denials: ReadonlySet<unknown> = new Set([13, 40573, 40324])

const isDenied = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && denials.has(error.code)
