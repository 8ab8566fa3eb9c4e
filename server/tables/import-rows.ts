import { ApiError } from '../../engine/errors.js'
import { fullGrant } from '../../engine/schema/grant.js'
import type { ContentType, Structure } from '../../engine/schema/content-type.js'
import { batchesOf } from '../../engine/values/batches.js'
import { objectOf, type PlainObject } from '../../engine/values/is-object.js'
import type { WriteRequest } from '../content/documents.js'
import { toApiError } from '../http/response/error-reply.js'
import { loopTurns } from '../http/request/loop-turns.js'
import type { Services } from '../services.js'
import { cellLanguage } from './cell-language.js'
import { columnOf, type Column } from './columns.js'
import { findAll, named, type References } from './name-references.js'
import { readRow, type Reading, type ParsedRow } from './read-row.js'
import type { ReadRow } from './read-table.js'
import { mapComponents } from '../../engine/schema/members-in.js'
import type { Registry } from '../../engine/schema/registry.js'

export type Importing = Reading &
  Readonly<{
    type: ContentType
    dryRun: boolean
    /** Number of the first row to import, counted from 1. */
    from: number
    /** Whether there is time for more rows. Not called before the first batch. */
    hasTime: () => boolean
    signal?: AbortSignal
    /** Author and time limit for the write of one row. */
    write: () => Pick<WriteRequest, 'actor' | 'time' | 'timeline'>
    /** Returns the report's message for an error that no row caused. */
    messageOf: (error: unknown) => string
  }>

/** A row that was not imported. An error about one value begins with its path: `title: …`. */
export type RowFailure = Readonly<{ row: number; errors: readonly string[] }>

export type ImportReport = Readonly<{
  rows: number
  created: number
  updated: number
  failed: number
  /** The first 1,000 failed rows. */
  errors: readonly RowFailure[]
  /** The row to continue with after a timeout or an error; null if none is left. */
  next: number | null
  /** The error that ended the import early, if no row caused it. */
  error: string | null
}>

/** Rows whose references are looked up together, and which are written concurrently. */
const batchSize = 20

const maxErrors = 1000

/**
 * Writes each row like the body of an API request. Rows of the same document are written one after the other. An error
 * that no row caused, such as a truncated file, ends the import, and the report covers the rows before it.
 * @throws ApiError `validation` for an unknown column, or the error that ends the import before any row was processed
 */
export async function importRows(
  services: Services,
  rows: AsyncIterable<ReadRow>,
  importing: Importing,
): Promise<ImportReport> {
  const { from, hasTime, signal, messageOf } = importing
  const counts = { created: 0, updated: 0, failed: 0 }
  const errors: RowFailure[] = []
  let seen = 0
  let next = from
  const columns = createColumns(services, importing.type)
  const language = cellLanguage(importing.locale)
  const settle = async (batch: readonly ReadRow[]) => {
    const done = await writeBatch(services, batch, { ...importing, language }, columns)
    // The rows of a batch are written concurrently, so rows after a failed one may be done. Report all rows up to the
    // last one that is done, so that a continued import does not write it again.
    const known = done.findLastIndex(({ status }) => status === 'fulfilled') + 1
    for (const [at, one] of done.slice(0, known).entries()) {
      seen += 1
      const outcome = one.status === 'fulfilled' ? one.value : [messageOf(one.reason)]
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
    return report(next, messageOf(error))
  }
}

/** Yields the rows from row number `from` on. */
export async function* rowsFrom(rows: AsyncIterable<ReadRow>, from: number) {
  // Rows that fail or are in memory cause no I/O, so give the event loop a turn regularly.
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

type Outcome = 'created' | 'updated' | readonly string[]

/**
 * Returns the result of each row, as `Promise.allSettled` does. Only errors that the row did not cause are rejections.
 */
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
  row: ParsedRow,
  found: References,
  { type, dryRun, write }: Importing,
): Promise<Outcome> {
  const { documentId, locale, status } = row
  if (status !== 'draft' && status !== 'published')
    return [`status: must be draft or published, not ${status.slice(0, 50)}`]
  const problems: string[] = []
  const data = Object.fromEntries(
    row.given.map((one) => [one.column.name, named(one, row, found, problems)]),
  )
  if (problems.length > 0) return problems
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
 * Updates or creates a document. Components with ids are changed in place and keep attributes that the table omits; if
 * an id is unknown, all components are created anew.
 * @returns what was done, or the errors of the row
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
      return [
        `documentId: there is no such document. The documentId of a new one must have 24 letters and digits`,
      ]
    const given = { documentId, isRepeated: false, isCreated: false }
    await documents.createGiven(type, data, request, given)
    return 'created'
  }
}

const documentIdForm = /^[a-z0-9]{24}$/

const isRefused = (error: unknown, code: ApiError['code']): boolean =>
  error instanceof ApiError && error.code === code

/** Removes the ids of components at any depth. */
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
