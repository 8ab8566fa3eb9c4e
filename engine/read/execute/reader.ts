import { readPreferenceOf } from '../../database/read-preference.js'
import type {
  AbstractCursor,
  AggregateOptions,
  ClientSession,
  Collection,
  Db,
  Document,
  FindOptions,
} from 'mongodb'
import { retryCommand } from '../../database/retry-command.js'
import { databaseError } from '../../errors/database-errors.js'
import { forTimelines, markCursor } from '../../database/sent-commands.js'
import type { Budget } from './budget.js'
import type { Timeline } from '../../timeline.js'
import type { Command } from '../compile/compile-command.js'
import { pipelineOf } from '../compile/compile-command.js'
import { findDocument } from './find-document.js'
import { findFirst } from './find-first.js'

/** Counts the documents and bytes that are read, batch by batch. */
export type Meter = Readonly<{
  batchSize: number
  /** Throws if a limit is exceeded. */
  add: (documents: number, bytes: number) => void
}>

/** Batch size that no result exceeds, so that each result takes only one command. */
const oneBatch = 1_000_000

const unmetered: Meter = { batchSize: oneBatch, add: () => undefined }

/** How a command is run. */
export type ReadHow = Readonly<{
  /** Whether to scan the collection in storage order, without an index. */
  natural?: boolean | undefined
  /** Whether to keep the database from using its disk; default: the server's setting. */
  inMemory?: boolean | undefined
}>

/** Runs the commands of one request. */
export type Reader = Readonly<{
  /** Throws a 503 if the time limit is exceeded or the database is unreachable. `purpose` is for explanations. */
  read: (
    collection: string,
    command: Command,
    purpose: string,
    how?: ReadHow,
  ) => Promise<Document[]>
  /** Returns the documents as stored bytes. */
  readStored: (
    collection: string,
    command: Command,
    purpose: string,
    how?: ReadHow,
  ) => Promise<readonly Buffer[]>
  /** Runs a command of `compileCount`. */
  count: (collection: string, command: Command, how?: ReadHow) => Promise<number>
  /** Returns the number of documents from the collection's metadata. */
  countAll: (collection: string) => Promise<number>
}>

type ReaderOptions = Readonly<{
  /** Aborting ends running commands in the database. Their promises reject with the signal's reason. */
  signal?: AbortSignal | undefined
  /** Default: nothing is counted. */
  meter?: Meter | undefined
  /** Overrides the URI's read preference. */
  fromPrimary?: boolean | undefined
  /** The snapshot to read; absent: each command reads the latest data. */
  session?: ClientSession | undefined
  timeline?: Timeline | undefined
}>

/** Creates a reader whose commands share one time budget. */
export function createReader(
  db: Db,
  { left, timeoutMs }: Budget,
  { signal, meter = unmetered, fromPrimary = false, session, timeline }: ReaderOptions = {},
): Reader {
  const sentFor = forTimelines(timeline === undefined ? [] : [timeline])
  const readPreference = fromPrimary ? undefined : readPreferenceOf(db.client)
  // Options without the session, because a snapshot does not include the metadata of a collection.
  const outside = () => ({
    ...(signal === undefined ? {} : { signal }),
    ...(readPreference === undefined ? {} : { readPreference }),
    ...sentFor,
  })
  const every = () => (session === undefined ? outside() : { ...outside(), session })
  const inOrder = session === undefined ? atOnce : firstAlone()
  const run = async <T>(command: (maxTimeMS: number) => Promise<T>): Promise<T> => {
    signal?.throwIfAborted()
    try {
      return await retryCommand(() => inOrder(() => command(Math.max(1, left()))))
    } catch (error) {
      throw databaseError(error, timeoutMs) ?? error
    }
  }
  const { batchSize } = meter
  const readWith = <T>(
    collection: string,
    command: Command,
    decoding: Readonly<{ useBigInt64: true } | { raw: true }>,
    sizeOf: (batch: readonly T[]) => number,
    how?: ReadHow,
  ): Promise<T[]> =>
    run((maxTimeMS) => {
      const disk = how?.inMemory === true ? { allowDiskUse: false } : {}
      const options = { ...decoding, ...every(), ...hintOf(how), ...disk, maxTimeMS }
      const cursor = openCursor(db.collection(collection), command, { ...options, batchSize })
      markCursor(cursor, sentFor)
      const seen = { documents: 0, bytes: 0 }
      return readAll(cursor as unknown as AbstractCursor<T>, (batch) => {
        const bytes = sizeOf(batch)
        seen.documents += batch.length
        seen.bytes += bytes
        meter.add(batch.length, bytes)
      }).catch((error: unknown) => {
        // A retry (`retryCommand`) may read the same documents again, so do not count these.
        meter.add(-seen.documents, -seen.bytes)
        throw error
      })
    })
  const findOne = (collection: string, { find, document }: FindCommand, ms: number) => {
    // A read with a signal gets its own command, because aborting a shared one would end it for other requests, too.
    return document === undefined || signal !== undefined
      ? findFirst(db, collection, find, { ms, signal, readPreference, sentFor })
      : findDocument(db, collection, find, document, { ms, readPreference, timeline })
  }
  return {
    // `decoded` returns 64-bit integers as bigint, because a number loses digits beyond 2^53.
    read: (collection, command, _, how) => readWith(collection, command, decoded, sizeOfRows, how),
    readStored: async (collection, command, _, how) => {
      const isFirst = 'find' in command && command.find.limit === 1
      const canBeSent = isFirst && session === undefined && how?.natural !== true
      const found = canBeSent ? await run((ms) => findOne(collection, command, ms)) : undefined
      if (found !== undefined) {
        meter.add(found.length, sizeOfStored(found))
        return found
      }
      const raw = { raw: true } as const
      const all = await readWith<Uint8Array>(collection, command, raw, sizeOfStored, how)
      return all.map((it) => Buffer.from(it.buffer, it.byteOffset, it.byteLength))
    },
    count: async (collection, command, how) => {
      // The `count` command does not support snapshots.
      if (session !== undefined || !('count' in command)) {
        const [row] = await readWith(collection, command, decoded, sizeOfRows, how)
        return Number(row?.['total'] ?? 0)
      }
      // `count` is deprecated because it is inexact without a filter. But unlike `db.command`, the driver retries it.
      return run((maxTimeMS) =>
        db.collection(collection).count(command.count, { ...every(), ...hintOf(how), maxTimeMS }),
      )
    },
    countAll: (collection) =>
      run((maxTimeMS) =>
        db.collection(collection).estimatedDocumentCount({ ...outside(), maxTimeMS }),
      ),
  }
}

type FindCommand = Extract<Command, { find: unknown }>

function openCursor(
  collection: Collection,
  command: Command,
  options: FindOptions & AggregateOptions,
): AbstractCursor {
  if (!('find' in command)) return collection.aggregate(pipelineOf(command), options)
  const { filter, ...findOptions } = command.find
  return collection.find(filter, { ...options, ...findOptions })
}

export const hintOf = (how: ReadHow | undefined): Readonly<{ hint?: Document }> =>
  how?.natural === true ? { hint: { $natural: 1 } } : {}

const atOnce = <T>(run: () => Promise<T>): Promise<T> => run()

/** Makes the first command run alone, because it sets the timestamp of a snapshot session. */
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

/** Estimates the size of decoded documents. They contain little more than keys, about 100 bytes each. */
const sizeOfRows = (rows: readonly Document[]): number => rows.length * 100
const sizeOfStored = (batch: readonly Uint8Array[]): number =>
  batch.reduce((sum, { byteLength }) => sum + byteLength, 0)

/** If `onBatch` throws, the cursor is closed in the database as well. */
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
