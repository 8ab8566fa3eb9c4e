import { Readable } from 'node:stream'
import { CsvError, parse } from 'csv-parse'
import { fail } from '../../engine/errors.js'
import { isObject, type PlainObject } from '../../engine/values/is-object.js'
import { JsonScanner } from '../../engine/values/scan-json.js'
import { parseJson, parseJsonInTurns } from '../http/request/parse-json.js'
import { byteLines } from './byte-lines.js'
import { delimiters, type TableFormat } from './write-table.js'

/** The cells of a CSV row by header, or a JSON object. `fault` says why the row is invalid. */
export type ReadRow = Readonly<{
  /** Counted from 1, without headers. */
  row: number
}> &
  (Readonly<{ record: PlainObject }> | Readonly<{ fault: string }>)

/** Maximum characters of a CSV row, and bytes of a JSON line. A file without line ends must not fill the memory. */
const maxRow = 4_194_304

/** In bytes; JSON is parsed as a whole. */
const maxJson = 16_777_216

/**
 * Yields rows as they arrive. CSV and JSON Lines take constant memory.
 * @param check called for each header of CSV, even without rows; throws for an unknown column
 * @throws ApiError 400 if the file does not have the format
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
    // A concatenated file may contain several kinds of line ends.
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
        yield {
          row,
          fault: `has ${cells.length} cells, but there are ${headers.length} column names`,
        }
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
  // The delimiter was probably another one: attribute names contain none, and spreadsheets choose it by language.
  if (headers.length === 1 && other !== undefined)
    throw fail(
      'validation',
      `The file has only one column, ${JSON.stringify(only)}. Check the delimiter`,
      {
        suggestion: `delimiter=${encodeURIComponent(other)}`,
      },
    )
  const known = new Set<string>()
  for (const [at, header] of headers.entries()) {
    if (header === '') throw fail('validation', `Column ${at + 1} has no name`)
    if (known.has(header)) throw fail('validation', `The column "${header}" occurs twice`)
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
        `A JSON file can have at most ${maxJson} bytes. Use JSON Lines or CSV`,
      )
    scanner.push(chunk)
    chunks.push(chunk)
  }
  const text = Buffer.concat(chunks).toString()
  const value = await parseJsonInTurns(text.replace(/^\uFEFF/, ''), true)
  if (!Array.isArray(value)) throw fail('validation', 'A JSON file must contain a list of objects')
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
 * Passes bytes on if they are UTF-8. Invalid bytes would silently become U+FFFD, and spreadsheets also write other
 * encodings.
 * @throws ApiError 400 that names the first invalid line
 */
async function* utf8Bytes(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let line = 1
  /**
   * Throws if `bytes` are not UTF-8. The last character may be incomplete, and continue in the next call, unless
   * `isLast`.
   */
  const check = (bytes: Uint8Array, isLast = false) => {
    try {
      decoder.decode(bytes, { stream: !isLast })
    } catch {
      throw fail('validation', `The file is not UTF-8 (line ${line}). Save it as UTF-8`)
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
