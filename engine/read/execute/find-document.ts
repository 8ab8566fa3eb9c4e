import type { Db, ReadPreference } from 'mongodb'
import { combineKeys } from '../../database/combine-keys.js'
import { forTimelines } from '../../database/sent-commands.js'
import type { Timeline } from '../../timeline.js'
import type { Find, OneDocument } from '../compile/compile-command.js'
import { findBatch, findFirst } from './find-first.js'
import { createLayout, locate } from '../stored/stored-document.js'
import { textAt } from '../stored/stored-fields.js'

/**
 * Reads one document like `findFirst`. Concurrent requests that differ only in the documentId share one command
 * (docs/internals/decisions.md, "Shared reads of single documents").
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
  /** Time limit of the command in the database. */
  ms: number
  readPreference: ReadPreference | undefined
  timeline: Timeline | undefined
}>

type Request = Options & Readonly<{ documentId: string; find: Find }>
type Found = readonly Buffer[] | undefined

const maxDocuments = 100
/** Maximum time that a request waits for the previous command. Only a distant or frozen database takes longer. */
const maxWaitMs = 5

/** Combines concurrent requests for the same fields of a collection. Deleted when no more requests wait for it. */
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
  // The operations of a bulk request share a timeline.
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
  // One more than the batch can contain, because the database leaves a cursor open after a full batch.
  const command = { filter, projection: find.projection, batchSize: maxDocuments + 1 }
  const batch = await findBatch(db, collection, command, options)
  if (batch === undefined) return all.map(() => undefined)
  const found = new Map<string | null, Found>()
  for (const bytes of batch.documents) {
    const documentId = documentIdIn(bytes)
    if (!found.has(documentId)) found.set(documentId, [bytes])
  }
  // A document that is missing in an incomplete batch may exist. If the result is `undefined`, the caller reads the
  // document alone.
  const missing = batch.isWhole ? [] : undefined
  return all.map(({ documentId }) => found.get(documentId) ?? missing)
}

const layout = createLayout(['documentId'])

/** Every projection of an entry includes `documentId`. */
const documentIdIn = (bytes: Buffer): string | null => textAt(locate(bytes, 0, layout), 0)
