import { Readable } from 'node:stream'
import {
  GridFSBucket,
  WriteConcern,
  type Binary,
  type Db,
  type FindCursor,
  type ObjectId,
} from 'mongodb'
import { beginRun, writeConcern } from '../../../engine/database/durability.js'
import { ApiError, notDone } from '../../../engine/errors.js'
import { isStoredName } from '../file-name.js'
import { uploadsPath } from '../serve.js'
import type { ByteRange, StorageProvider, StoredContent } from '../storage-provider.js'
import { openBegunFiles } from './gridfs-begun.js'
import { readContent } from './read-content.js'

/** Any GridFS client can read its collections, `_media.files` and `_media.chunks`. */
const bucketName = '_media'

/** Chunks per batch: a megabyte. The driver's default batches would have sixteen megabytes. */
const chunksAtOnce = 4

/** Time limit of a sweep; long, because no client waits for it. */
const sweepMs = 600_000

type StoredFile = Readonly<{
  _id: ObjectId
  filename: string
  length: number
  chunkSize: number
  uploadDate: Date
}>
type Upload = Awaited<ReturnType<typeof openUpload>>
type Chunk = Readonly<{ _id: ObjectId; files_id: ObjectId; n: number; data: Binary }>

/**
 * Stores files in the database with GridFS, under the indexed `filename`. Each put has its own id, so that the chunks
 * of two puts under one name never mix.
 * @param stallMs time limit of each step in the database
 * @param confirmMs interval between the heartbeats of a put
 */
export function createGridfsProvider(
  db: Db,
  stallMs = 30_000,
  confirmMs = 60_000,
): StorageProvider {
  const files = db.collection<StoredFile>(`${bucketName}.files`)
  const chunks = db.collection<Chunk>(`${bucketName}.chunks`)
  const begun = openBegunFiles(db, bucketName)
  const inTime = <T>(run: () => Promise<T>): Promise<T> => inDatabase(stallMs, run)

  let prepared: Promise<unknown> | undefined
  /** Creates the indexes that GridFS clients expect, before the first put. */
  const prepare = (): Promise<unknown> =>
    (prepared ??= Promise.all([
      files.createIndex({ filename: 1, uploadDate: 1 }),
      chunks.createIndex({ files_id: 1, n: 1 }, { unique: true }),
    ]).catch((error: unknown) => {
      prepared = undefined
      throw error
    }))

  const find = async (name: string): Promise<StoredFile | undefined> =>
    (await inTime(() => files.findOne({ filename: name }, { sort: newestFirst }))) ?? undefined

  /** Iterates over a cursor with a time limit for each step. */
  async function* each<T>(cursor: FindCursor<T>): AsyncGenerator<T> {
    try {
      for (;;) {
        const next = await inTime(() => cursor.next())
        if (next === null) return
        yield next
      }
    } finally {
      await cursor.close().catch(() => undefined)
    }
  }

  /** Reads chunk by chunk. The driver's own reader would need sixteen megabytes of memory. */
  async function* read({ _id, chunkSize }: StoredFile, { start, end }: ByteRange) {
    const first = Math.floor(start / chunkSize)
    const last = Math.floor(end / chunkSize)
    const cursor = chunks.find(
      { files_id: _id, n: { $gte: first, $lte: last } },
      { sort: { files_id: 1, n: 1 }, batchSize: chunksAtOnce },
    )
    let n = first
    for await (const { n: found, data } of each(cursor)) {
      if (found !== n) break
      const bytes = data.buffer.subarray(0, data.position)
      yield bytes.subarray(n === first ? start - n * chunkSize : 0, end + 1 - n * chunkSize)
      n += 1
    }
    if (n <= last) throw notDone('A part of the file is missing')
  }

  const store = async ({ stream }: Upload, content: Readable): Promise<number> => {
    await inTime(() => begun.begin(stream.id))
    let confirmedAt = performance.now()
    for await (const bytes of content as AsyncIterable<Uint8Array>)
      // One chunk at a time, so that no other write is in flight if one fails.
      for (let at = 0; at < bytes.byteLength; at += stream.chunkSizeBytes) {
        const piece = bytes.subarray(at, at + stream.chunkSizeBytes)
        await inTime(() => promisify((done) => stream.write(piece, done)))
        if (performance.now() - confirmedAt < confirmMs) continue
        await confirm(stream.id)
        confirmedAt = performance.now()
      }
    return stream.length
  }

  const confirm = async (id: ObjectId) => {
    if (!(await inTime(() => begun.confirm(id)))) throw notDone('The upload took too long')
  }

  /** Creates the file's document, after all its chunks. Waits until the document and the chunks are on disk. */
  const finish = async ({ stream, run, last }: Upload) => {
    await confirm(stream.id)
    if (last !== undefined) stream.writeConcern = last
    await inTime(() => promisify((done) => stream.end(done)))
    await inTime(() => Promise.resolve().then(run.check))
    // If this fails, a sweep deletes the record of the complete file.
    await inTime(() => begun.end(stream.id)).catch(() => undefined)
  }

  const takeBack = (id: ObjectId, isSettled: boolean): Promise<void> =>
    // If this fails, a sweep removes the unfinished data.
    inTime(() => begun.remove(id, isSettled)).catch(() => undefined)

  return {
    name: 'gridfs',
    put: (name, content, { mime }, signal) =>
      readContent(content, signal, async () => {
        if (!isStoredName(name)) throw new Error(`Not the name of a stored file: ${name}`)
        await inTime(prepare)
        const upload = await inTime(() => openUpload(db, name, mime))
        try {
          const size = await store(upload, content)
          signal?.throwIfAborted()
          await finish(upload)
          return size
        } catch (error) {
          await takeBack(upload.stream.id, !(error instanceof ApiError))
          throw error
        }
      }),
    stat: async (name) => {
      const file = await find(name)
      return file && describe(file)
    },
    open: async (name, range) => {
      const file = await find(name)
      if (file === undefined) return undefined
      const { start, end } = range ?? { start: 0, end: Infinity }
      const part = { start, end: Math.min(end, file.length - 1) }
      return Readable.from(part.end < part.start ? [] : read(file, part), { objectMode: false })
    },
    remove: async (name) => {
      const found = await inTime(() =>
        files.find({ filename: name }, { projection: { _id: 1 } }).toArray(),
      )
      for (const { _id } of found) await inTime(() => begun.remove(_id))
    },
    url: (name) => `${uploadsPath}/${name}`,
    list: async function* () {
      const projection = { filename: 1, length: 1, chunkSize: 1, uploadDate: 1 }
      let last = ''
      for await (const file of each(files.find({}, { sort: newestFirst, projection }))) {
        // Of several files with the same name, only the newest is served.
        if (file.filename !== last) yield { name: file.filename, ...describe(file) }
        last = file.filename
      }
    },
    removeUnfinished: (olderThanMs, removes = true) =>
      inDatabase(sweepMs, () => begun.removeAbandoned(olderThanMs, removes)),
  }
}

const newestFirst = { filename: -1, uploadDate: -1 } as const

async function openUpload(db: Db, name: string, mime: string) {
  const run = await beginRun(db)
  const [each, last] = await Promise.all([writeConcern(db, false), writeConcern(db, true)])
  const bucket = new GridFSBucket(db, { bucketName, ...each })
  const stream = bucket.openUploadStream(name, { metadata: { mime } })
  // Ignore the error here, because the callback of each write reports it too.
  stream.on('error', () => undefined)
  return { stream, run, last: WriteConcern.fromOptions(last) }
}

const describe = ({ length, uploadDate }: StoredFile): StoredContent => ({
  size: length,
  modifiedAt: uploadDate,
})

const promisify = (run: (done: (error?: Error | null) => void) => unknown): Promise<void> =>
  new Promise((resolve, reject) => {
    run((error) => (error instanceof Error ? reject(error) : resolve()))
  })

/**
 * Runs a step in the database. Throws `unavailable` for errors of the database and after `ms`, because both may be
 * temporary. Rethrows other errors.
 */
async function inDatabase<T>(ms: number, run: () => Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(notDone('The database took too long')), ms)
  })
  const running = run()
  // After the time limit, nothing else would handle a rejection.
  running.catch(() => undefined)
  try {
    return await Promise.race([running, late])
  } catch (error) {
    // Errors of the driver, and of a database lost between two steps (`engine/database/durability.ts`).
    const isOfDatabase = error instanceof Error && /^(Mongo|InterruptedWrite$)/.test(error.name)
    if (!isOfDatabase) throw error
    const refusal = notDone('The database cannot be reached, so files cannot be stored or read')
    throw Object.assign(refusal, { cause: error })
  } finally {
    clearTimeout(timer)
  }
}
