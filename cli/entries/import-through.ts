import { stringify } from 'csv-stringify/sync'
import { batchesOf } from '../../engine/values/batches.js'
import { toExactJson } from '../../server/http/request/parse-json.js'
import { rowsFrom, type ImportReport, type RowFailure } from '../../server/tables/import-rows.js'
import type { ReadRow } from '../../server/tables/read-table.js'
import type { TableFormat } from '../../server/tables/write-table.js'
import { dataOf, type AdminFetch } from '../admin-client.js'
import { onProgress } from '../progress.js'

/** The maximum number of rows in a request. `batchesOf` ends a batch earlier if its rows reach 8 MB. */
const rowsPerRequest = 500

type Good = Extract<ReadRow, { record: unknown }>

/**
 * Sends rows to a running service in batches, each beginning with the first unfinished row. If an error ends the
 * import, the report contains the error and the row to continue with.
 * @param search the query string of `/admin/content/:uid/import`
 * @throws the error if it occurs before any row is finished
 */
export async function importThrough(
  send: AdminFetch,
  name: string,
  search: string,
  format: TableFormat,
  rows: AsyncIterable<ReadRow>,
): Promise<ImportReport> {
  const total = { rows: 0, created: 0, updated: 0, failed: 0 }
  const errors: RowFailure[] = []
  const from = Number(new URLSearchParams(search).get('from') ?? 1)
  let next = from
  const report = (error: string | null): ImportReport => ({
    ...total,
    errors: errors.sort((a, b) => a.row - b.row),
    next: error === null ? null : next,
    error,
  })
  const sendBatch = async (rows: readonly Good[]): Promise<ImportReport> => {
    const query = new URLSearchParams(search)
    query.set('format', format === 'csv' ? 'csv' : 'jsonl')
    query.delete('delimiter')
    query.delete('from')
    const body = new FormData()
    body.append('file', new Blob([textOf(rows, format)]), 'entries')
    const path = `/admin/content/${encodeURIComponent(name)}/import?${query.toString()}`
    return dataOf<ImportReport>(await send(path, { method: 'POST', body }))
  }
  const sendRows = async (batch: readonly ReadRow[]): Promise<void> => {
    for (let left = batch; left.length > 0;) {
      // Rows that could not be parsed are not sent, only reported.
      const good = left.flatMap((row) => ('record' in row ? [row] : []))
      const answer = good.length === 0 ? undefined : await sendBatch(good)
      const first = good[(answer?.next ?? Infinity) - 1]
      const done = first === undefined ? left : left.slice(0, left.indexOf(first))
      next = first?.row ?? (left.at(-1)?.row ?? 0) + 1
      for (const row of done)
        if ('fault' in row) {
          total.rows += 1
          total.failed += 1
          errors.push({ row: row.row, errors: [row.fault] })
        }
      if (answer !== undefined) {
        for (const key of ['rows', 'created', 'updated', 'failed'] as const)
          total[key] += answer[key]
        for (const { row, errors: refused } of answer.errors)
          errors.push({ row: good[row - 1]?.row ?? row, errors: refused })
        if (answer.error !== null) throw new Error(answer.error)
        if (answer.next === 1)
          throw new Error(
            'The service did not finish a single row in time (api.rest.writeTimeoutMs)',
          )
      }
      left = left.slice(done.length)
    }
    onProgress(`${total.rows} rows`)
  }
  try {
    const bytesOf = (row: ReadRow) => ('record' in row ? Buffer.byteLength(lineOf(row, format)) : 0)
    for await (const batch of batchesOf(rowsFrom(rows, from), rowsPerRequest, bytesOf))
      await sendRows(batch)
    return report(null)
  } catch (error) {
    if (total.rows === 0) throw error
    return report((error as Error).message)
  }
}

function textOf(rows: readonly Good[], format: TableFormat): string {
  const [first] = rows
  const header = format === 'csv' && first !== undefined ? cells(Object.keys(first.record)) : ''
  return header + rows.map((row) => lineOf(row, format)).join('')
}

function lineOf({ record }: Good, format: TableFormat): string {
  if (format === 'csv') return cells(Object.values(record))
  return `${toExactJson(record)}\n`
}

/**
 * Formats a line of CSV. Quotes empty cells: in a table with one column, an empty cell without quotes would be an empty
 * line, which the service skips.
 */
const cells = (values: readonly unknown[]): string =>
  stringify([[...values]], { quoted_empty: true })
