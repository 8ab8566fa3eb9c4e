import { createReadStream } from 'node:fs'
import { countText } from '../../engine/values/count-text.js'
import { checkColumn } from '../../server/tables/columns.js'
import { importRows, type ImportReport } from '../../server/tables/import-rows.js'
import { readTable } from '../../server/tables/read-table.js'
import { readTableOptions, tableType } from '../../server/tables/table-options.js'
import { printReport } from '../print-json.js'
import { openAdminFetch } from '../admin-client.js'
import { serviceOf } from '../admin-service.js'
import type { QuireCommand } from '../quire-command.js'
import { withServices } from '../with-services.js'
import { importThrough } from './import-through.js'
import { searchOf, type Table } from './table-search.js'

type ImportOptions = Table & Readonly<{ dryRun: boolean; from?: string; json: boolean }>

/** Runs `quire entries import`. Returns whether all rows were read and none failed. */
export async function importEntries(
  file: string,
  options: ImportOptions,
  command: QuireCommand,
): Promise<boolean> {
  const { type: name, json, dryRun, from } = options
  const remote = await serviceOf(command, options)
  const search = searchOf(options, file, { dryRun: dryRun ? 'true' : undefined, from })
  const { format, delimiter, ...given } = readTableOptions(search, 'import')
  const read = (check?: (header: string) => void) =>
    readTable(() => createReadStream(file), format, delimiter, check)
  const report = await (remote === undefined
    ? withServices(({ services }) => {
        const registry = services.registry()
        const type = tableType(registry, name)
        const rows = read((header) => checkColumn(type, registry, header))
        return importRows(services, rows, {
          ...given,
          type,
          areCells: format === 'csv',
          hasTime: () => true,
          write: () => ({ actor: null }),
          messageOf: (error) => (error as Error).message,
        })
      })
    : importThrough(await openAdminFetch(remote), name, search, format, read()))
  printReport(json, report, () => formatReport(report, given.dryRun))
  return report.failed === 0 && report.error === null
}

/** Formats a line for each failed row, a line with the counts, and after an error the row to continue with. */
function formatReport(
  { rows, created, updated, failed, errors, next, error }: ImportReport,
  dryRun: boolean,
): string {
  const lines = errors.map(({ row, errors }) => `row ${row}: ${errors.join('; ')}`)
  const more =
    failed > errors.length ? [`… and ${countText(failed - errors.length, 'more row')}`] : []
  return [
    ...lines,
    ...more,
    `${countText(rows, 'row')}: ${created}${dryRun ? ' would be' : ''} created, ${updated} updated, ${failed} failed.`,
    ...(error === null
      ? []
      : [`The import ended before row ${next}: ${error}`, `To continue, use --from ${next}.`]),
  ].join('\n')
}
