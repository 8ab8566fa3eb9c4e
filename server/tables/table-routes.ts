import { createReadStream } from 'node:fs'
import { fail } from '../../engine/errors.js'
import { startWriteTime } from '../../engine/write-time.js'
import { writerOf } from '../accounts/caller.js'
import { toApiError } from '../http/response/error-reply.js'
import { queryParameter } from '../http/documented.js'
import {
  fromOne,
  inData,
  list,
  members,
  object,
  text,
  textOrNull,
  trueOrFalse,
  whole,
  wholeOrNull,
} from '../http/routes/json-schemas.js'
import { dataReply, type HttpRequest, type Reply, type Route } from '../http/route.js'
import { routesOf } from '../http/routes/routes-of.js'
import type { Services } from '../services.js'
import { checkColumn } from './columns.js'
import { createExport } from './export-rows.js'
import { importRows } from './import-rows.js'
import { readTable } from './read-table.js'
import { readTableOptions, tableType } from './table-options.js'
import { delimiters, mediaTypes, tableFormats, writeTable } from './write-table.js'

/**
 * An import begins another batch only if at least this many ms are left, or half of the write timeout if that is less.
 */
const leastMs = 2000

/** Routes that export and import a type's entries as a table, for admins (docs/tables.md). */
export const tableRoutes = (services: Services): readonly Route[] =>
  routesOf(
    { guard: 'admin', tag: 'Tables' },
    {
      'GET /admin/content/:uid/export': {
        id: 'exportEntries',
        summary: 'Export the entries of a content-type as a table, with `filters` as in lists',
        query: [
          ...ofBoth,
          queryParameter('bom', 'Whether CSV starts with a byte order mark', trueOrFalse),
          queryParameter(
            'by',
            'Shows relations by a unique attribute of their targets: `author=email`',
            text,
          ),
        ],
        answer: {
          mediaTypes: {
            'text/csv': text,
            'application/json': list(object),
            'application/x-ndjson': text,
          },
        },
        errors: [400, 404],
        handle: (request) => exportTable(services, request),
      },
      'POST /admin/content/:uid/import': {
        id: 'importEntries',
        summary: 'Create and update entries from a table',
        query: [
          ...ofBoth,
          queryParameter('dryRun', 'Whether to check rows only, without writing', trueOrFalse),
          queryParameter('from', 'Number of the first row to import; default 1', fromOne),
        ],
        bodyType: 'multipart/form-data',
        body: members({ file: { type: 'string', contentMediaType: 'application/octet-stream' } }),
        answer: inData(
          members({
            rows: whole,
            created: whole,
            updated: whole,
            failed: whole,
            errors: list(members({ row: whole, errors: list(text) })),
            next: wholeOrNull,
            error: textOrNull,
          }),
        ),
        errors: [404],
        multipart: true,
        ownTime: true,
        handle: (request) => importTable(services, request),
      },
    },
  )

async function exportTable(
  services: Services,
  { params, search, signal, client }: HttpRequest,
): Promise<Reply> {
  // The request's time limit applies to each page, not to the whole export.
  const { address, bytes } = client
  const reader = { signal, client: { address, bytes } }
  const table = createExport(services, params.uid ?? '', search, reader)
  const { type, format, columns, pages } = table
  // Read the first page before the response starts: later errors can no longer change its status.
  const first = await pages.next()
  const all = async function* () {
    if (first.done !== true) yield first.value
    yield* pages
  }
  return {
    status: 200,
    headers: {
      'Content-Type': mediaTypes[format],
      'Content-Disposition': `attachment; filename="${type.pluralName}.${format}"`,
      'Cache-Control': 'no-store',
    },
    stream: writeTable(all(), columns, format, table),
  }
}

async function importTable(services: Services, request: HttpRequest): Promise<Reply> {
  const { params, search, files, time, signal } = request
  const registry = services.registry()
  const type = tableType(registry, params.uid ?? '')
  const { format, delimiter, ...options } = readTableOptions(search, 'import')
  const [file, ...more] = files
  if (file?.is !== 'file' || more.length > 0)
    throw fail('validation', 'Send a form with one file: -F file=@entries.csv')
  const timeoutMs = services.settings['api.rest.writeTimeoutMs']
  const check = (header: string) => checkColumn(type, registry, header)
  const rows = readTable(() => createReadStream(file.path), format, delimiter, check)
  const report = await importRows(services, rows, {
    ...options,
    type,
    areCells: format === 'csv',
    hasTime: () => (time?.left() ?? timeoutMs) >= Math.min(leastMs, timeoutMs / 2),
    signal,
    write: () => ({
      ...writerOf(request),
      time: startWriteTime(timeoutMs, time?.left() ?? timeoutMs),
    }),
    messageOf: (error) => {
      const { code, message } = toApiError(error)
      if (code === 'internal') request.logError?.(error)
      return message
    },
  })
  return dataReply(report)
}

const ofBoth = [
  queryParameter('format', 'Format of the table; default `csv`', {
    type: 'string',
    enum: tableFormats,
  }),
  queryParameter('delimiter', 'Delimiter of CSV; default `,`', {
    type: 'string',
    enum: delimiters,
  }),
  queryParameter(
    'status',
    'Status of the versions, or of rows that have none; default `published`',
    {
      type: 'string',
      enum: ['draft', 'published'],
    },
  ),
  queryParameter('locale', 'Locale of the versions, or of rows that have none', text),
]
