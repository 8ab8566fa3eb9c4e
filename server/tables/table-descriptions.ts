import type { Documented, JsonSchema, QueryParameter } from '../http/documented.js'
import {
  inData,
  list,
  members,
  text,
  textOrNull,
  whole,
  wholeOrNull,
} from '../http/json-schemas.js'
import { delimiters, tableFormats } from './write-table.js'

const tag = 'Tables'
const flag: JsonSchema = { type: 'string', enum: ['true', 'false'] }
const parameter = (name: string, description: string, schema: JsonSchema): QueryParameter => ({
  ...{ name, description, schema },
})
const ofBoth = [
  parameter('format', 'Of the table; default `csv`', { type: 'string', enum: [...tableFormats] }),
  parameter('delimiter', 'Of CSV; default `,`', { type: 'string', enum: [...delimiters] }),
  parameter('status', 'Which versions, or of rows that do not say it; default `published`', {
    type: 'string',
    enum: ['draft', 'published'],
  }),
  parameter('locale', 'Which locale, or of rows that do not say it', text),
]

/** What the API's document says of tables of entries. */
export const tableDescriptions = {
  export: {
    id: 'exportEntries',
    summary: 'The entries of a type as a table; `filters` as lists take them',
    tag,
    query: [
      ...ofBoth,
      parameter('bom', 'Whether CSV begins with a byte order mark', flag),
      parameter('by', 'Relations by unique attributes of their targets: `author=email`', text),
    ],
    answers: {
      200: {
        mediaTypes: {
          'text/csv': text,
          'application/json': list({ type: 'object' }),
          'application/x-ndjson': text,
        },
      },
    },
    errors: [400, 404],
  },
  import: {
    id: 'importEntries',
    summary: 'Create and update entries by the rows of a table',
    tag,
    query: [
      ...ofBoth,
      parameter('dryRun', 'Whether rows are only looked at', flag),
      parameter('from', 'The first row that is imported; default 1', {
        type: 'integer',
        minimum: 1,
      }),
    ],
    bodyType: 'multipart/form-data',
    body: members({ file: { type: 'string', contentMediaType: 'application/octet-stream' } }),
    answers: {
      200: inData(
        members({
          ...{ rows: whole, created: whole, updated: whole, failed: whole },
          errors: list(members({ row: whole, errors: list(text) })),
          ...{ next: wholeOrNull, error: textOrNull },
        }),
      ),
    },
    errors: [404],
  },
} as const satisfies Record<string, Documented>
