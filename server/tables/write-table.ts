import { stringify } from 'csv-stringify/sync'
import { exactJson, toCell } from './cells.js'
import { ownColumns, type Column } from './columns.js'
import type { Row } from './rows.js'

export const tableFormats = ['csv', 'json', 'jsonl'] as const

/** Supported delimiters of CSV. */
export const delimiters = [',', ';', '\t', '|'] as const
export type TableFormat = (typeof tableFormats)[number]

type CsvOptions = Readonly<{
  delimiter: string
  /** A byte order mark, by which Excel recognizes UTF-8. */
  bom: boolean
}>

export const mediaTypes: Readonly<Record<TableFormat, string>> = {
  csv: 'text/csv; charset=utf-8',
  json: 'application/json; charset=utf-8',
  jsonl: 'application/x-ndjson; charset=utf-8',
}

/** Yields the text of a table as its rows arrive. */
export async function* writeTable(
  pages: AsyncIterable<readonly Row[]>,
  columns: readonly Column[],
  format: TableFormat,
  { delimiter, bom }: CsvOptions,
): AsyncGenerator<string> {
  if (format === 'csv') {
    const headers = [...ownColumns, ...columns.map(({ header }) => header)]
    yield `${bom ? '\uFEFF' : ''}${stringify([headers], { delimiter })}`
    for await (const rows of pages)
      yield stringify(
        rows.map((row) => cellsOf(row, columns)),
        { delimiter },
      )
    return
  }
  const [before, between, after] = format === 'json' ? ['[\n', ',\n', '\n]\n'] : ['', '\n', '\n']
  let isFirst = true
  for await (const rows of pages) {
    yield `${isFirst ? before : between}${rows.map(exactJson).join(between)}`
    isFirst = false
  }
  if (!isFirst) yield after
  else if (format === 'json') yield '[]\n'
}

const cellsOf = (row: Row, columns: readonly Column[]): string[] => [
  ...ownColumns.map((name) => toCell(row[name], 'text')),
  ...columns.map(({ header, kind }) => toCell(row[header], kind)),
]
