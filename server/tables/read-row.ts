import { ApiError } from '../../engine/errors.js'
import type { Status } from '../../engine/schema/content-type.js'
import type { CellLanguage } from './cell-language.js'
import { fromCell } from './cells.js'
import { ownColumns, type Column } from './columns.js'
import type { ReadRow } from './read-table.js'

/** The value of a column in a row. */
export type ColumnValue = Readonly<{ column: Column; value: unknown }>

/** A row, converted to the types of its columns. */
export type ParsedRow = Readonly<{
  documentId: string | undefined
  locale: string | undefined
  status: string
  given: readonly ColumnValue[]
}>

/** Why a row cannot be read. */
export type Fault = Readonly<{ fault: string }>

/** Options for reading rows. */
export type Reading = Readonly<{
  /** Whether the row comes from CSV, where all values are strings. */
  areCells: boolean
  language?: CellLanguage | undefined
  /** Status of rows that state none. */
  status: Status
  locale?: string | undefined
}>

/**
 * Converts a row by the columns of its content-type.
 * @throws ApiError `validation` for an unknown column in CSV, because all rows of the file have it
 */
export function readRow(
  row: ReadRow,
  { areCells, language, status, locale }: Reading,
  columnOf: (header: string) => Column,
): ParsedRow | Fault {
  if ('fault' in row) return row
  const { record } = row
  const own = (name: (typeof ownColumns)[number]): string | undefined => {
    const value = record[name]
    return typeof value === 'string' && value !== '' ? value : undefined
  }
  const given: ColumnValue[] = []
  for (const [header, value] of Object.entries(record)) {
    if ((ownColumns as readonly string[]).includes(header)) continue
    // An unknown column is an error of the file in CSV, where all rows have it, but of the row in JSON.
    const column = areCells ? columnOf(header) : faultIn(() => columnOf(header))
    if ('fault' in column) return column
    const cell = faultIn(() => ({
      value: areCells ? fromCell(String(value), column.kind, language) : value,
    }))
    if ('fault' in cell) return { fault: `${header}: ${cell.fault}` }
    given.push({ column, value: cell.value })
  }
  return {
    given,
    documentId: own('documentId'),
    locale: own('locale') ?? locale,
    status: own('status') ?? status,
  }
}

/** Returns the result of `read`, or the message of its `ApiError`. */
function faultIn<T extends object>(read: () => T): T | Fault {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return { fault: error.message }
  }
}
