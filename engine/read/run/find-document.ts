import type { Db, ReadPreference } from 'mongodb'
import { combineKeys } from '../../database/combine-keys.js'
import { forTimelines } from '../../database/sent-commands.js'
import type { Timeline } from '../../timeline.js'
import type { Find, OneDocument } from './command.js'
import { findBatch, findFirst } from './find-first.js'
import { createLayout, locate } from './stored-document.js'
import { textAt } from './stored-fields.js'

/**
 * As `findFirst`, with the documents that other requests ask for at this moment (docs/decisions.md, "Documents that are
 * asked for together").
 */
export async function findDocument(
  db: Db,
  collection: string,
  find: Find,
  { documentId, locale }: OneDocument,
  options: Options,
): Promise<Found> {
  const ofDatabase = companies.get(db) ?? new Map<string, Company>()
  companies.set(db, ofDatabase)
  const isPreferred = options.readPreference !== undefined
  const key = JSON.stringify([collection, locale, isPreferred, find.projection])
  const company = ofDatabase.get(key) ?? openCompany(db, collection, locale)
  ofDatabase.set(key, company)
  company.waiting += 1
  try {
    return await company.find({ documentId, find, ...options })
  } finally {
    company.waiting -= 1
    if (company.waiting === 0) ofDatabase.delete(key)
  }
}

type Options = Readonly<{
  /** Milliseconds that the database may take. */
  ms: number
  readPreference: ReadPreference | undefined
  timeline: Timeline | undefined
}>

type Asked = Options & Readonly<{ documentId: string; find: Find }>
/** As `findFirst` answers. */
type Found = readonly Buffer[] | undefined

/** Of one command. */
const maxDocuments = 100
/**
 * How long a document waits for those that were asked for before it. A database beside the service answers sooner; one
 * that is far away, or stands still, is asked again meanwhile.
 */
const patienceMs = 5

/**
 * Those who ask for the same of other documents. It is there as long as somebody waits: there are as many as ways to
 * choose fields.
 */
type Company = { find: (asked: Asked) => Promise<Found>; waiting: number }
const companies = new WeakMap<Db, Map<string, Company>>()

function openCompany(db: Db, collection: string, locale: string | undefined): Company {
  const find = combineKeys<Asked, Found>((all) => findAll(db, collection, locale, all), {
    maxKeys: maxDocuments,
    patienceMs,
  })
  return { find, waiting: 0 }
}

async function findAll(
  db: Db,
  collection: string,
  locale: string | undefined,
  all: readonly Asked[],
): Promise<readonly Found[]> {
  const [{ find, readPreference }] = all as readonly [Asked]
  const documentIds = [...new Set(all.map(({ documentId }) => documentId))]
  // The operations of a bulk have one.
  const timelines = new Set(all.flatMap(({ timeline }) => timeline ?? []))
  const options = {
    ms: Math.max(...all.map(({ ms }) => ms)),
    readPreference,
    told: forTimelines([...timelines]),
  }
  if (documentIds.length === 1) {
    const found = await findFirst(db, collection, find, options)
    return all.map(() => found)
  }
  const filter = {
    documentId: { $in: documentIds },
    ...(locale === undefined ? {} : { locale: { $eq: locale } }),
  }
  // A batch that is full leaves a cursor.
  const command = { filter, projection: find.projection, batchSize: maxDocuments + 1 }
  const batch = await findBatch(db, collection, command, options)
  if (batch === undefined) return all.map(() => undefined)
  const found = new Map<string | null, Found>()
  for (const bytes of batch.documents) {
    const documentId = documentIdIn(bytes)
    if (!found.has(documentId)) found.set(documentId, [bytes])
  }
  // What did not come may be what had no room, and is asked for alone.
  const missing = batch.isWhole ? [] : undefined
  return all.map(({ documentId }) => found.get(documentId) ?? missing)
}

const layout = createLayout(['documentId'])

/** Every projection of an entry has it. */
const documentIdIn = (bytes: Buffer): string | null => textAt(locate(bytes, 0, layout), 0)
