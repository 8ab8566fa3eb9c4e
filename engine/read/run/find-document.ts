import type { Db, Document, ReadPreference } from 'mongodb'
import { combineKeys } from '../../database/combine-keys.js'
import { forTimelines } from '../../database/sent-commands.js'
import type { Timeline } from '../../timeline.js'
import type { Find } from './as-find.js'
import { findBatch, findFirst } from './find-first.js'
import { createLayout, locate } from './stored-document.js'
import { textAt } from './stored-fields.js'

/** A `find` of one document by its documentId, of one locale where its type has several, and by nothing else. */
export type FindDocument = Readonly<{
  documentId: string
  locale: string | undefined
  find: Find
}>

/** Undefined for any other `find` of one document. */
export function asFindDocument(find: Find): FindDocument | undefined {
  const { filter, options } = find
  if (options.sort !== undefined || options.skip !== undefined) return undefined
  const isAll = Object.keys(filter).length === 1 && '$and' in filter
  const conditions = isAll ? (filter['$and'] as readonly Document[]) : [filter]
  const [first, second] = conditions
  const documentId = equalText(first, 'documentId')
  const locale = equalText(second, 'locale')
  if (documentId === undefined || conditions.length > 2) return undefined
  return conditions.length === 1 || locale !== undefined ? { documentId, locale, find } : undefined
}

/** The text that a condition asks a field to equal; undefined where it asks for anything else, or for more. */
function equalText(condition: Document | undefined, field: string): string | undefined {
  const [name, ...more] = Object.keys(condition ?? {})
  if (name !== field || more.length > 0) return undefined
  const value = (condition?.[field] as Document | undefined)?.['$eq'] as unknown
  return typeof value === 'string' ? value : undefined
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

/** Larger documents than fit into one batch are read alone. */
const maxDocuments = 100
/**
 * How long a document waits for those that were asked for before it. Beside the service a database answers sooner; one
 * that is far away, or stands still, is asked again meanwhile.
 */
const patienceMs = 5

/**
 * What asks for the same of other documents. It is there as long as somebody waits for one: there are as many as ways to
 * choose fields.
 */
type Company = { find: (asked: Asked) => Promise<Found>; waiting: number }
const companies = new WeakMap<Db, Map<string, Company>>()

/**
 * As `findFirst`, with the documents that other requests ask for at this moment: a command takes the database and the
 * process four times as long as finding one more document by it.
 */
export async function findDocument(
  db: Db,
  collection: string,
  { documentId, locale, find }: FindDocument,
  options: Options,
): Promise<Found> {
  const ofDatabase = companies.get(db) ?? new Map<string, Company>()
  companies.set(db, ofDatabase)
  const { projection } = find.options
  const isPreferred = options.readPreference !== undefined
  const key = JSON.stringify([collection, locale, isPreferred, projection])
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
  const options = {
    ms: Math.max(...all.map(({ ms }) => ms)),
    readPreference,
    told: forTimelines(all.flatMap(({ timeline }) => timeline ?? [])),
  }
  if (documentIds.length === 1) {
    const found = await findFirst(db, collection, find, options)
    return all.map(() => found)
  }
  const filter = {
    documentId: { $in: documentIds },
    ...(locale === undefined ? {} : { locale: { $eq: locale } }),
  }
  const { projection = {} } = find.options
  const batch = await findBatch(
    db,
    collection,
    { filter, options: { projection, batchSize: maxDocuments } },
    options,
  )
  if (batch === undefined) return all.map(() => undefined)
  const found = new Map(batch.documents.map((bytes) => [documentIdIn(bytes), [bytes]]))
  // What did not come may be what had no room.
  const missing = batch.isWhole ? [] : undefined
  return all.map(({ documentId }) => found.get(documentId) ?? missing)
}

const layout = createLayout(['documentId'])

/** Every projection of an entry has it. */
const documentIdIn = (bytes: Buffer): string | null => textAt(locate(bytes, 0, layout), 0)
