import { setTimeout as sleep } from 'node:timers/promises'
import type { ChangeStream, ChangeStreamDocument, Db, Document } from 'mongodb'
import type { Change } from './signals.js'

type Options = Readonly<{
  db: Db
  collections: readonly string[]
  /** The `_id` of this process in `_instances`, where its pulses are written. */
  instance: string
  /** It is open: from here on all that is written arrives. What was kept before may be old. */
  opened: () => void
  changed: (collection: string, change: Change) => void
  /** Told of every collection of content that is written, absent: of all of them; default: they are not listened to. */
  written?: ((collection?: string) => void) | undefined
  /** It has ended, or cannot be opened. */
  failed: (error: unknown) => void
}>

/** A pulse takes a few milliseconds; one that takes so many will not arrive. */
const pulseMs = 1_000

/** Pause before it is opened again, and where the database has no such streams for us, in ms. */
const pauseMs = 500
const deniedPauseMs = 60_000

/** How long the server waits before it says that nothing was written, and an end of ours waits for that, in ms. */
const silenceMs = 250

/** For what a closed stream still waits at most, in ms. */
const closeMs = 2_000

const presences = '_instances'

/** Begins to listen to a replica set, by a change stream that is opened again whenever it ends. */
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
    // Of a collection that takes the place of another only the former name is told here.
    options.written?.(event.operationType === 'rename' ? undefined : coll)
    if (coll !== presences) options.changed(coll, changeOf(event))
    else if (pulseOf(event) === pulses) arrived?.(true)
  }
  const follow = async () => {
    const followed = whatIsFollowed(options, instance)
    stream = db.watch(followed, { maxAwaitTimeMS: silenceMs })
    try {
      // It is opened by the first question, and not before.
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
    /** Whether it is open: all that is written arrives. */
    isOpen: () => isOpen,
    /**
     * Writes something and waits until it arrives: then everything has that was acknowledged before, by the order in
     * which the majority has it. False where it does not in time; then the stream is opened anew.
     */
    pulse: async (): Promise<boolean> => {
      // Whoever does not wait for one that is under way asks otherwise.
      if (arrived !== undefined) return false
      pulses += 1
      const pulse = pulses
      let timer: NodeJS.Timeout | undefined
      const isThere = await new Promise<boolean>((resolve) => {
        arrived = resolve
        timer = setTimeout(() => resolve(false), pulseMs)
        instances
          // It arrives when the majority has it; the write itself need not wait for that.
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

/** Without the documents: who listens reads what it needs, and some of it is secret. */
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

/** Those of the service itself, and the bytes of files. */
const notContent = /^(_|fs\.|system\.)/

function changeOf(event: ChangeStreamDocument): Change {
  const id: unknown = 'documentKey' in event ? event.documentKey._id : undefined
  if (event.operationType !== 'update') return { id }
  const { updatedFields = {}, removedFields = [] } = event.updateDescription
  return { id, fields: [...Object.keys(updatedFields), ...removedFields] }
}

const pulseOf = (event: ChangeStreamDocument): unknown =>
  event.operationType === 'update' ? event.updateDescription.updatedFields?.['pulse'] : undefined

/** `Unauthorized`, and what servers without an oplog say. */
const denials: ReadonlySet<unknown> = new Set([13, 40573, 40324])

const isDenied = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && denials.has(error.code)
