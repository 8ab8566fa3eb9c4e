import { readPreferenceOf } from '../../database/read-preference.js'
import type { AbstractCursor, ClientSession, Db, Document, FindOptions } from 'mongodb'
import { databaseError } from '../../errors/database-errors.js'
import { forTimelines, markCursor } from '../../database/sent-commands.js'
import { steadyNow } from '../../steady-now.js'
import type { Timeline } from '../../timeline.js'

/** Is told of what was read, batch by batch. */
export type Meter = Readonly<{
  /** Documents of a batch. */
  batchSize: number
  /** Throws where that is too much. */
  add: (documents: number, bytes: number) => void
}>

/** More than any pipeline yields: an answer of several batches would cost a command for each of them. */
const oneBatch = { batchSize: 1_000_000 } as const

const unmetered: Meter = { ...oneBatch, add: () => undefined }

/** Runs the pipelines of one request. */
export type Reader = Readonly<{
  /**
   * All documents that a pipeline yields; `purpose` is what an explanation calls it.
   * Throws `ApiError` 503 past the deadline or without a database.
   */
  read: (collection: string, pipeline: Document[], purpose: string) => Promise<Document[]>
  /** The same, each document as the bytes that the database sent. */
  readStored: (
    collection: string,
    pipeline: Document[],
    purpose: string,
  ) => Promise<readonly Buffer[]>
  /** How many documents a pipeline yields that ends with a `$count` of `total`. */
  count: (collection: string, pipeline: Document[]) => Promise<number>
  /** How many documents a collection has, by its metadata. */
  countAll: (collection: string) => Promise<number>
}>

type ReaderOptions = Readonly<{
  /** Once it is aborted, commands that run are ended in the database, and reject with its reason. */
  signal?: AbortSignal | undefined
  /** By `steadyNow`; default `timeoutMs` from now on. */
  deadline?: number | undefined
  /** Default: nothing is too much. */
  meter?: Meter | undefined
  /** Whether from the primary, whatever the URI prefers. */
  fromPrimary?: boolean | undefined
  /** Of the snapshot that all commands read; absent: each reads what is there. */
  session?: ClientSession | undefined
  /** Told of the commands. */
  timeline?: Timeline | undefined
}>

/** A reader whose commands share one time budget, of which `timeoutMs` is what the client is told. */
export function createReader(
  db: Db,
  timeoutMs: number,
  {
    signal,
    deadline = steadyNow() + timeoutMs,
    meter = unmetered,
    fromPrimary = false,
    session,
    timeline,
  }: ReaderOptions = {},
): Reader {
  const told = forTimelines(timeline === undefined ? [] : [timeline])
  const readPreference = fromPrimary ? undefined : readPreferenceOf(db.client)
  /** Metadata is as of now. */
  const outside = {
    ...(signal === undefined ? {} : { signal }),
    ...(readPreference === undefined ? {} : { readPreference }),
    ...told,
  }
  const every = session === undefined ? outside : { ...outside, session }
  const inOrder = session === undefined ? atOnce : firstAlone()
  const run = async <T>(command: (maxTimeMS: number) => Promise<T>): Promise<T> => {
    signal?.throwIfAborted()
    try {
      return await inOrder(() => command(Math.max(1, deadline - steadyNow())))
    } catch (error) {
      throw databaseError(error, timeoutMs) ?? error
    }
  }
  const { batchSize } = meter
  const readWith = <T>(
    collection: string,
    pipeline: Document[],
    decoding: Readonly<{ useBigInt64: true } | { raw: true }>,
    sizeOf: (batch: readonly T[]) => number,
  ): Promise<T[]> =>
    run((maxTimeMS) => {
      const options = { ...decoding, ...every, maxTimeMS }
      const find = asFind(pipeline, batchSize)
      const cursor =
        find === undefined
          ? db.collection(collection).aggregate(pipeline, { ...options, batchSize })
          : db.collection(collection).find(find.filter, { ...options, ...find.options })
      markCursor(cursor, told)
      return readAll(cursor as unknown as AbstractCursor<T>, (batch) =>
        meter.add(batch.length, sizeOf(batch)),
      )
    })
  return {
    // A biginteger beyond 2^53 would lose digits as a number.
    read: (collection, pipeline) => readWith(collection, pipeline, decoded, sizeOfRows),
    readStored: async (collection, pipeline) => {
      const found = await readWith<Uint8Array>(collection, pipeline, { raw: true }, sizeOfStored)
      return found.map((it) => Buffer.from(it.buffer, it.byteOffset, it.byteLength))
    },
    count: async (collection, pipeline) => {
      // The `count` command knows no snapshots.
      const query = session === undefined ? asCount(pipeline) : undefined
      if (query === undefined) {
        const [row] = await readWith(collection, pipeline, decoded, sizeOfRows)
        return Number(row?.['total'] ?? 0)
      }
      // Deprecated because of what it says without a filter; unlike `db.command` it is tried again after a lost connection.
      return run((maxTimeMS) => db.collection(collection).count(query, { ...every, maxTimeMS }))
    },
    countAll: (collection) =>
      run((maxTimeMS) =>
        db.collection(collection).estimatedDocumentCount({ ...outside, maxTimeMS }),
      ),
  }
}

const atOnce = <T>(run: () => Promise<T>): Promise<T> => run()

/** The first command of a snapshot finds its moment; those that come meanwhile wait to be told of it. */
function firstAlone(): typeof atOnce {
  let first: Promise<unknown> | undefined
  return async (run) => {
    if (first !== undefined) {
      await first
      return run()
    }
    const running = run()
    first = running.catch(() => undefined)
    return running
  }
}

const decoded = { useBigInt64: true } as const

/** About what a row of keys takes. */
const sizeOfRows = (rows: readonly Document[]): number => rows.length * 100
const sizeOfStored = (batch: readonly Uint8Array[]): number =>
  batch.reduce((sum, { byteLength }) => sum + byteLength, 0)

/** Batch after batch, as long as `onBatch` does not throw; what is left is let go in the database, too. */
async function readAll<T>(
  cursor: AbstractCursor<T>,
  onBatch: (batch: readonly T[]) => void,
): Promise<T[]> {
  let found: T[] = []
  try {
    while (await cursor.hasNext()) {
      const batch = cursor.readBufferedDocuments() as T[]
      onBatch(batch)
      found = found.length === 0 ? batch : found.concat(batch)
    }
    return found
  } finally {
    await cursor.close()
  }
}

export type Find = Readonly<{ filter: Document; options: FindOptions }>

/** The stages that `find` has too, in the order in which it takes them. */
const stages = ['$match', '$sort', '$skip', '$limit', '$project']

/**
 * A pipeline as a `find`, which the engine answers in two thirds of the time; undefined for one that
 * only an aggregation can run.
 */
export function asFind(
  pipeline: readonly Document[],
  batchSize: number = oneBatch.batchSize,
): Find | undefined {
  const found: Record<string, unknown> = {}
  let place = -1
  for (const stage of pipeline) {
    const [[name, value] = ['', undefined], ...more] = Object.entries(stage)
    const at = stages.indexOf(name)
    if (more.length > 0 || at <= place) return undefined
    place = at
    found[name] = value
  }
  if (found['$match'] === undefined || found['$project'] === undefined) return undefined
  return {
    filter: found['$match'] as Document,
    options: {
      projection: found['$project'] as Document,
      ...(found['$sort'] === undefined ? {} : { sort: found['$sort'] as Record<string, 1 | -1> }),
      ...(found['$skip'] === undefined ? {} : { skip: found['$skip'] as number }),
      ...limitOf(found['$limit'] as number | undefined, batchSize),
    },
  }
}

/**
 * One document is read by the engine's short path for a single equality, which a batch size closes:
 * 0.35 ms of the engine's time instead of 0.41.
 */
function limitOf(limit: number | undefined, batchSize: number): FindOptions {
  if (limit === undefined) return { batchSize }
  return limit === 1 ? { limit, singleBatch: true } : { limit, batchSize }
}

/**
 * The filter of a pipeline that only matches and counts, which the engine's `count` command answers in two
 * thirds of the time; undefined for any other, and for one that matches everything: of that, `count` tells
 * the collection's metadata, which is not exact everywhere (docs/storage.md, "Totals").
 */
export function asCount(pipeline: readonly Document[]): Document | undefined {
  const [match, count, ...more] = pipeline
  if (more.length > 0 || count?.['$count'] === undefined) return undefined
  const filter = match?.['$match'] as Document | undefined
  return filter === undefined || Object.keys(filter).length === 0 ? undefined : filter
}
