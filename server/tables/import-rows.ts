import { ApiError } from '../../engine/errors.js'
import { fullGrant } from '../../engine/schema/grant.js'
import type { ContentType, Structure } from '../../engine/schema/content-type.js'
import { batchesOf } from '../../engine/values/batches.js'
import { objectOf, type PlainObject } from '../../engine/values/is-object.js'
import type { WriteRequest } from '../content/documents.js'
import { toApiError } from '../http/error-reply.js'
import { loopTurns } from '../http/loop-turns.js'
import type { Services } from '../lifecycle/services.js'
import { cellLanguage } from './cell-language.js'
import { columnOf, type Column } from './columns.js'
import { findAll, named, type References } from './name-references.js'
import { readRow, type Reading, type Understood } from './read-row.js'
import type { ReadRow } from './read-table.js'
import { mapComponents } from '../../engine/schema/members-in.js'
import type { Registry } from '../../engine/schema/registry.js'

export type Importing = Reading &
  Readonly<{
    type: ContentType
    dryRun: boolean
    /** Rows before it are passed over; the first is 1. */
    from: number
    /** Whether there is time for further rows; some are begun in any case. */
    hasTime: () => boolean
    /** Aborted when nobody waits for the report any more. */
    signal?: AbortSignal
    /** Who writes a row, and how long it may take. */
    write: () => Pick<WriteRequest, 'actor' | 'time' | 'timeline'>
    /** What the report says of an error that is no fault of a row. */
    tell: (error: unknown) => string
  }>

/** What is wrong with one row, each with the place. */
export type RowFailure = Readonly<{ row: number; errors: readonly string[] }>

export type ImportReport = Readonly<{
  /** Rows that were looked at. */
  rows: number
  created: number
  updated: number
  failed: number
  /** Of the rows that failed, the first 1,000. */
  errors: readonly RowFailure[]
  /** The row to go on with where time was over, or an error ended it; null where there is none left. */
  next: number | null
  /** What ended it before its last row, and is no fault of a row. */
  error: string | null
}>

/** Rows whose references are looked up together, and which are written at a time. */
const batchSize = 20

const maxErrors = 1000

/**
 * Writes rows as the API writes bodies, one row after the other where they are of one document. What is no fault of a
 * row, such as a database that is away or a file that breaks off, ends it: the report says what was done before.
 * @throws ApiError `validation` for a column that there is not, and what ends it, where no row was done before
 */
export async function importRows(
  services: Services,
  rows: AsyncIterable<ReadRow>,
  importing: Importing,
): Promise<ImportReport> {
  const { from, hasTime, signal, tell } = importing
  const counts = { created: 0, updated: 0, failed: 0 }
  const errors: RowFailure[] = []
  let seen = 0
  let next = from
  const columns = createColumns(services, importing.type)
  const language = cellLanguage(importing.locale)
  const settle = async (batch: readonly ReadRow[]) => {
    const done = await writeBatch(services, batch, { ...importing, language }, columns)
    // Behind a fault that is none of a row others may be written: with them one would not begin again.
    const known = done.findLastIndex(({ status }) => status === 'fulfilled') + 1
    for (const [at, one] of done.slice(0, known).entries()) {
      seen += 1
      const outcome = one.status === 'fulfilled' ? one.value : [tell(one.reason)]
      if (typeof outcome === 'string') counts[outcome] += 1
      else {
        counts.failed += 1
        if (errors.length < maxErrors) errors.push({ row: batch[at]?.row ?? 0, errors: outcome })
      }
    }
    next = batch[known]?.row ?? (batch.at(-1)?.row ?? 0) + 1
    const broken = done.find((one) => one.status === 'rejected')
    if (broken !== undefined) throw broken.reason
  }
  const report = (next: number | null, error: string | null = null): ImportReport => ({
    rows: seen,
    ...counts,
    errors,
    next,
    error,
  })
  const mayBegin = () => signal?.aborted !== true && (seen === 0 || hasTime())
  try {
    for await (const batch of batchesOf(rowsFrom(rows, from), batchSize, () => 0)) {
      if (!mayBegin()) return report(batch[0]?.row ?? null)
      await settle(batch)
    }
    return report(null)
  } catch (error) {
    if (seen === 0) throw error
    return report(next, tell(error))
  }
}

/** All rows but those before one. */
export async function* rowsFrom(rows: AsyncIterable<ReadRow>, from: number) {
  // Rows that fail wait for nothing, and neither do those of a file that is in memory.
  const turns = loopTurns()
  for await (const row of rows) {
    while (turns.isOver()) await turns.next()
    if (row.row >= from) yield row
  }
}

function createColumns({ registry }: Services, type: ContentType) {
  const known = new Map<string, Column>()
  return (header: string): Column => {
    const found = known.get(header) ?? columnOf(type, registry(), header)
    known.set(header, found)
    return found
  }
}

/** What became of a row, or all that is wrong with it. */
type Outcome = 'created' | 'updated' | readonly string[]

/** Rejected is what is no fault of the row. */
async function writeBatch(
  services: Services,
  batch: readonly ReadRow[],
  importing: Importing,
  columnOf: (header: string) => Column,
): Promise<readonly PromiseSettledResult<Outcome>[]> {
  const read = batch.map((row) => readRow(row, importing, columnOf))
  const found = await findAll(services, read)
  const chains = new Map<string, Promise<unknown>>()
  return Promise.allSettled(
    read.map((row): Promise<Outcome> => {
      if ('fault' in row) return Promise.resolve([row.fault])
      const before = chains.get(row.documentId ?? '') ?? Promise.resolve()
      const write = () => writeRow(services, row, found, importing)
      const written = before.then(write, write)
      if (row.documentId !== undefined) chains.set(row.documentId, written)
      return written
    }),
  )
}

async function writeRow(
  services: Services,
  row: Understood,
  found: References,
  { type, dryRun, write }: Importing,
): Promise<Outcome> {
  const { documentId, locale, status } = row
  if (status !== 'draft' && status !== 'published')
    return [`status: must be draft or published, not ${status.slice(0, 50)}`]
  const faults: string[] = []
  const data = Object.fromEntries(
    row.given.map((one) => [one.column.name, named(one, row, found, faults)]),
  )
  if (faults.length > 0) return faults
  const request: WriteRequest = {
    ...write(),
    grant: fullGrant,
    status,
    dryRun,
    locale,
  }
  const save = () => saveRow(services, type, documentId, data, request)
  try {
    return await (request.time === undefined ? save() : request.time.within(save))
  } catch (error) {
    const refused = toApiError(error)
    if (refused.status >= 500) throw error
    return linesOf(refused)
  }
}

function linesOf({ message, details }: ApiError): readonly string[] {
  const errors = details?.errors
  if (!Array.isArray(errors)) return [message]
  return errors.map((error: unknown) => {
    const { path, message } = objectOf(error)
    const place = Array.isArray(path) ? path.join('.') : ''
    return place === '' ? String(message) : `${place}: ${String(message)}`
  })
}

/**
 * Updates a document that is there, and creates one that is not. Components that name their ids are edited in place,
 * so that they keep what no table has; where the document has them not, all that the row names are new.
 * @returns what was done, or what is wrong with the row
 */
async function saveRow(
  { documents, registry }: Services,
  type: ContentType,
  documentId: string | undefined,
  data: PlainObject,
  request: WriteRequest,
): Promise<Outcome> {
  if (documentId === undefined) {
    await documents.create(type, data, request)
    return 'created'
  }
  try {
    await documents.update(type, documentId, data, request).catch((error: unknown) => {
      if (!isRefused(error, 'application')) throw error
      return documents.update(type, documentId, withoutIds(type, data, registry()), request)
    })
    return 'updated'
  } catch (error) {
    if (!isRefused(error, 'not-found')) throw error
    if (!documentIdForm.test(documentId))
      return [`documentId: there is no such document, and a new one has 24 letters and digits`]
    const given = { documentId, isRepeated: false, isCreated: false }
    await documents.createGiven(type, data, request, given)
    return 'created'
  }
}

const documentIdForm = /^[a-z0-9]{24}$/

const isRefused = (error: unknown, code: ApiError['code']): boolean =>
  error instanceof ApiError && error.code === code

/** The same with components, at any depth, that name no ids. */
function withoutIds(structure: Structure, body: PlainObject, registry: Registry): PlainObject {
  const members = Object.entries(body).map(([name, value]) => {
    const attribute = structure.attributes.get(name)
    if (attribute?.type !== 'component' && attribute?.type !== 'dynamiczone') return [name, value]
    const bare = mapComponents(attribute, value, registry, (component, item) => {
      const rest = Object.entries(item).filter(([key]) => key !== 'id')
      return withoutIds(component, Object.fromEntries(rest), registry)
    })
    return [name, bare] as const
  })
  return Object.fromEntries(members) as PlainObject
}
