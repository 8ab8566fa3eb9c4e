import type { Db, ReadPreference } from 'mongodb'
import { combineKeys } from '../../database/combine-keys.js'
import { forTimelines } from '../../database/sent-commands.js'
import type { Timeline } from '../../timeline.js'
import type { Find, OneDocument } from '../compile/compile-command.js'
import { findBatch, findFirst } from './find-first.js'
import { createLayout, locate } from '../stored/stored-document.js'
import { textAt } from '../stored/stored-fields.js'

/**
 * Reads one document, with the same result as `findFirst`. Concurrent requests that differ only in the documentId share
 * one command (docs/internals/decisions.md, "Shared reads of single documents").
 */
export async function findDocument(
  db: Db,
  collection: string,
  find: Find,
  { documentId, locale }: OneDocument,
  options: Options,
): Promise<Found> {
  const batchers = batchersOf.get(db) ?? new Map<string, Batcher>()
  batchersOf.set(db, batchers)
  const isPreferred = options.readPreference !== undefined
  const key = JSON.stringify([collection, locale, isPreferred, find.projection])
  const batcher = batchers.get(key) ?? createBatcher(db, collection, locale)
  batchers.set(key, batcher)
  batcher.waiting += 1
  try {
    return await batcher.find({ documentId, find, ...options })
  } finally {
    batcher.waiting -= 1
    if (batcher.waiting === 0) batchers.delete(key)
  }
}

type Options = Readonly<{
  /** Time limit of the command in the database, in milliseconds. */
  ms: number
  readPreference: ReadPreference | undefined
  timeline: Timeline | undefined
}>

type Request = Options & Readonly<{ documentId: string; find: Find }>
/** The result of `findFirst`. */
type Found = readonly Buffer[] | undefined

/** Maximum number of documents in one command. */
const maxDocuments = 100
/**
 * Maximum number of milliseconds that a request waits for the previous command. A local database responds sooner. If
 * the database is far away or does not respond, the next command is sent before the previous one has finished.
 */
const maxWaitMs = 5

/**
 * Combines concurrent requests for the same fields of the same collection into one command. Each set of fields needs
 * its own batcher. Therefore, a batcher is removed when no request waits for it.
 */
type Batcher = { find: (request: Request) => Promise<Found>; waiting: number }
const batchersOf = new WeakMap<Db, Map<string, Batcher>>()

function createBatcher(db: Db, collection: string, locale: string | undefined): Batcher {
  const find = combineKeys<Request, Found>((all) => findAll(db, collection, locale, all), {
    maxKeys: maxDocuments,
    maxWaitMs,
  })
  return { find, waiting: 0 }
}

async function findAll(
  db: Db,
  collection: string,
  locale: string | undefined,
  all: readonly Request[],
): Promise<readonly Found[]> {
  const [{ find, readPreference }] = all as readonly [Request]
  const documentIds = [...new Set(all.map(({ documentId }) => documentId))]
  // Record the command only once per timeline. The operations of a bulk request share one.
  const timelines = new Set(all.flatMap(({ timeline }) => timeline ?? []))
  const options = {
    ms: Math.max(...all.map(({ ms }) => ms)),
    readPreference,
    sentFor: forTimelines([...timelines]),
  }
  if (documentIds.length === 1) {
    const found = await findFirst(db, collection, find, options)
    return all.map(() => found)
  }
  const filter = {
    documentId: { $in: documentIds },
    ...(locale === undefined ? {} : { locale: { $eq: locale } }),
  }
  // A full batch leaves a cursor open, so the batch size is one more than the largest possible number of documents.
  const command = { filter, projection: find.projection, batchSize: maxDocuments + 1 }
  const batch = await findBatch(db, collection, command, options)
  if (batch === undefined) return all.map(() => undefined)
  const found = new Map<string | null, Found>()
  for (const bytes of batch.documents) {
    const documentId = documentIdIn(bytes)
    if (!found.has(documentId)) found.set(documentId, [bytes])
  }
  // If the batch is incomplete, a document that is not in the batch may still exist. `undefined` makes the caller read
  // the document alone.
  const missing = batch.isWhole ? [] : undefined
  return all.map(({ documentId }) => found.get(documentId) ?? missing)
}

const layout = createLayout(['documentId'])

/** Every projection of an entry includes `documentId`. */
const documentIdIn = (bytes: Buffer): string | null => textAt(locate(bytes, 0, layout), 0)
