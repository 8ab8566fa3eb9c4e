import { setTimeout as sleep } from 'node:timers/promises'
import type { ChangeStream, ChangeStreamDocument, Db, Document } from 'mongodb'
import type { Change } from './signals.js'

type Options = Readonly<{
  db: Db
  collections: readonly string[]
  /** The `_id` of this process in `_instances`. Its pulses are written there. */
  instance: string
  /** Called when the stream is open. All later writes arrive. Values that were cached before may be outdated. */
  opened: () => void
  changed: (collection: string, change: Change) => void
  /**
   * Called with each written collection of content, or without an argument for all collections; default: not watched.
   */
  written?: ((collection?: string) => void) | undefined
  /** Called when the stream has ended or cannot be opened. */
  failed: (error: unknown) => void
}>

/** Time in milliseconds after which a pulse counts as lost. It usually takes a few milliseconds. */
const pulseMs = 1_000

/** Pauses before the stream is reopened, in milliseconds: usually, and if the database denies change streams. */
const pauseMs = 500
const deniedPauseMs = 60_000

/** Time in milliseconds after which the server reports that nothing was written. Closing may wait as long. */
const silenceMs = 250

/** Maximum time in milliseconds that closing the stream may take. */
const closeMs = 2_000

const presences = '_instances'

/** Watches a replica set with a change stream. Reopens the stream whenever it ends. */
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
    // The event of a rename has only the previous name of the collection, not the name of the collection that it
    // replaces.
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
    /** Whether the stream is open, so that all writes arrive. */
    isOpen: () => isOpen,
    /**
     * Writes a pulse and waits until it arrives. By then, all writes that were acknowledged before the pulse have
     * arrived, because the stream has the order of the majority. Resolves with false if the pulse does not arrive in
     * time; then the stream is reopened.
     */
    pulse: async (): Promise<boolean> => {
      // While another pulse is in flight, the caller confirms in another way.
      if (arrived !== undefined) return false
      pulses += 1
      const pulse = pulses
      let timer: NodeJS.Timeout | undefined
      const isThere = await new Promise<boolean>((resolve) => {
        arrived = resolve
        timer = setTimeout(() => resolve(false), pulseMs)
        instances
          // The pulse arrives when the majority has it. The write itself need not wait for that.
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
 * Returns the pipeline of the stream. It leaves out the documents, because followers read the data that they need, and
 * some documents are secret.
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

/** Collections of the service itself, and the bytes of files. */
const notContent = /^(_|fs\.|system\.)/

function changeOf(event: ChangeStreamDocument): Change {
  const id: unknown = 'documentKey' in event ? event.documentKey._id : undefined
  if (event.operationType !== 'update') return { id }
  const { updatedFields = {}, removedFields = [] } = event.updateDescription
  return { id, fields: [...Object.keys(updatedFields), ...removedFields] }
}

const pulseOf = (event: ChangeStreamDocument): unknown =>
  event.operationType === 'update' ? event.updateDescription.updatedFields?.['pulse'] : undefined

/** `Unauthorized`, and the codes of servers without an oplog. */
const denials: ReadonlySet<unknown> = new Set([13, 40573, 40324])

const isDenied = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && denials.has(error.code)
