import { Readable } from 'node:stream'
import { CsvError, parse } from 'csv-parse'
import { fail } from '../../engine/errors.js'
import { isObject, type PlainObject } from '../../engine/values/is-object.js'
import { JsonScanner } from '../../engine/values/scan-json.js'
import { parseJson, parseJsonInTurns } from '../http/parse-json.js'
import { byteLines } from './byte-lines.js'
import { delimiters, type TableFormat } from './write-table.js'

/** A row as it was read: of CSV the texts of its cells by header, else an object. A fault says why it is none. */
export type ReadRow = Readonly<{
  /** The first row of data is 1. */
  row: number
}> &
  (Readonly<{ record: PlainObject }> | Readonly<{ fault: string }>)

/** Longest row of a table, of CSV in characters, of JSON Lines in bytes; a file without an end of line is not read into memory. */
const maxRow = 4_194_304

/** A file of JSON is one text, and read as a whole. */
const maxJson = 16_777_216

/**
 * The rows of a file, as they arrive; CSV and JSON Lines in constant memory.
 * @param open opens the file, once its first row is asked for
 * @param check asked of each header of CSV, also where there are no rows below; throws where there is no such column
 * @throws ApiError 400 where the file as a whole is none of its format
 */
export function readTable(
  open: () => Readable,
  format: TableFormat,
  delimiter: string,
  check: (header: string) => void = () => undefined,
): AsyncGenerator<ReadRow> {
  if (format === 'csv') return readCsv(open, delimiter, check)
  return format === 'json' ? readJson(open) : readLines(open)
}

async function* readCsv(
  open: () => Readable,
  delimiter: string,
  check: (header: string) => void,
): AsyncGenerator<ReadRow> {
  const parser = parse({
    bom: true,
    delimiter,
    max_record_size: maxRow,
    relax_column_count: true,
    // Each of them everywhere: a file that was put together of others has several.
    skip_empty_lines: true,
    record_delimiter: ['\r\n', '\n', '\r'],
  })
  const opened = open()
  const file = Readable.from(utf8Bytes(opened), { objectMode: false })
  file.on('error', (error) => parser.destroy(error))
  file.pipe(parser)
  let headers: readonly string[] | undefined
  let row = 0
  try {
    for await (const cells of parser as AsyncIterable<string[]>) {
      if (headers === undefined) {
        headers = cells.map((header) => header.trim())
        checkHeaders(headers, delimiter)
        headers.forEach(check)
        continue
      }
      row += 1
      if (cells.length !== headers.length)
        yield { row, fault: `has ${cells.length} cells, and ${headers.length} columns have names` }
      else yield { row, record: Object.fromEntries(headers.map((name, at) => [name, cells[at]])) }
    }
  } catch (error) {
    if (error instanceof CsvError) throw fail('validation', `The file is not CSV: ${error.message}`)
    throw error
  } finally {
    file.destroy()
    opened.destroy()
  }
  if (headers === undefined)
    throw fail('validation', 'The file has no line with the names of its columns')
}

function checkHeaders(headers: readonly string[], delimiter: string): void {
  const [only = ''] = headers
  const other = delimiters.find((one) => one !== delimiter && only.includes(one))
  // No attribute has one of them in its name, and spreadsheets choose by the language of who uses them.
  if (headers.length === 1 && other !== undefined)
    throw fail(
      'validation',
      `The file has one column, ${JSON.stringify(only)}; is its delimiter another?`,
      {
        suggestion: `delimiter=${encodeURIComponent(other)}`,
      },
    )
  const known = new Set<string>()
  for (const [at, header] of headers.entries()) {
    if (header === '') throw fail('validation', `Column ${at + 1} has no name`)
    if (known.has(header)) throw fail('validation', `The column "${header}" is there twice`)
    known.add(header)
  }
}

async function* readLines(open: () => Readable): AsyncGenerator<ReadRow> {
  const tooLong = (): Error => fail('validation', 'A line of the file is too long')
  let row = 0
  for await (const { text } of byteLines(utf8Bytes(open()), maxRow, tooLong)) {
    row += 1
    yield toRow(row, () => parseJson(text.replace(/^\uFEFF/, '')))
  }
}

async function* readJson(open: () => Readable): AsyncGenerator<ReadRow> {
  const chunks: Uint8Array[] = []
  const scanner = new JsonScanner()
  let length = 0
  for await (const chunk of utf8Bytes(open())) {
    length += chunk.length
    if (length > maxJson)
      throw fail(
        'validation',
        `A file of JSON is read as a whole, up to ${maxJson} bytes; take JSON Lines or CSV`,
      )
    scanner.push(chunk)
    chunks.push(chunk)
  }
  const text = Buffer.concat(chunks).toString()
  const value = await parseJsonInTurns(text.replace(/^\uFEFF/, ''), true)
  if (!Array.isArray(value)) throw fail('validation', 'A file of JSON must hold a list of objects')
  for (const [at, one] of value.entries()) yield toRow(at + 1, () => one as unknown)
}

function toRow(row: number, read: () => unknown): ReadRow {
  try {
    const record = read()
    return isObject(record) ? { row, record } : { row, fault: 'must be an object' }
  } catch (error) {
    return { row, fault: (error as Error).message }
  }
}

const newLine = 0x0a

/**
 * The bytes of a file as they come, where they are text in UTF-8. What is none would be kept as U+FFFD, and nobody
 * would know what it was: spreadsheets write other encodings, too.
 * @throws ApiError 400 that names the first line which is none
 */
async function* utf8Bytes(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let line = 1
  /** Throws where bytes, or with the last of them all that came, are none; a character may be cut in two. */
  const check = (bytes: Uint8Array, isLast = false) => {
    try {
      decoder.decode(bytes, { stream: !isLast })
    } catch {
      throw fail('validation', `The file is not UTF-8 (line ${line}): save it as UTF-8`)
    }
  }
  for await (const piece of chunks) {
    const chunk = Buffer.from(piece)
    let from = 0
    for (let end = chunk.indexOf(newLine); end >= 0; end = chunk.indexOf(newLine, from)) {
      check(chunk.subarray(from, end + 1))
      from = end + 1
      line += 1
    }
    check(chunk.subarray(from))
    yield chunk
  }
  check(new Uint8Array(), true)
}
