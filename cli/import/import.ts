import { builtIn } from '../../engine/schema/registry.js'
import { loadConfig } from '../../server/settings/config.js'
import { printReport } from '../print-json.js'
import { onProgress } from '../progress.js'
import { withExclusive } from '../with-exclusive.js'
import type { Asked } from '../../server/backup/selection.js'
import { runImport, type ImportOptions } from '../import-runner/run-import.js'
import { readOverview, type Overview } from './archive-overview.js'
import type { ArchiveRecord } from './archive-record.js'
import { archiveSource } from './archive-source.js'

/**
 * What `quire import` does: imports an archive into the database that the service would use, after all of it was compared
 * with its checksums. One that was cut off goes on when it is run again.
 * @throws ArchiveError, SchemaError, or Error if it is refused
 */
export async function importArchive(
  file: string,
  { json, only, exclude, ...options }: ImportOptions & Asked & Readonly<{ json: boolean }>,
): Promise<void> {
  const config = loadConfig()
  const asked = { only, exclude }
  onProgress('Comparing the archive with its checksums')
  const overview = await readOverview(file)
  const { record, wasDone } = await withExclusive('import', config, async (database) =>
    runImport(
      database,
      await archiveSource(database, overview, { ...options, asked }),
      options.replace,
    ),
  )
  printReport(json, reportOf(overview, record, wasDone), tellImport)
}

/** What was imported. */
export type ImportReport = ReturnType<typeof reportOf>

function reportOf({ manifest, end }: Overview, record: ArchiveRecord, wasDone: boolean) {
  const { quire, exportedAt, moment, secrets } = manifest
  const { checksum, entries, files } = end
  const { asked, finishedAt, definitions, brings } = record
  const types = Object.entries(entries).filter(([uid]) => brings.types.includes(uid))
  return {
    archive: { quire, exportedAt, moment, secrets, checksum },
    asked,
    /** When this archive was imported: another time where it was done before. */
    finishedAt,
    /** Whether it had been imported before, and nothing was changed. */
    wasDone,
    /** uids of definitions that were not here. */
    definitions,
    entries: Object.fromEntries(types),
    files: brings.types.includes(builtIn.file) ? files : { count: 0, bytes: 0 },
  }
}

function tellImport(report: ImportReport): string {
  const { archive, entries, files, definitions } = report
  if (report.wasDone)
    return `What Quire ${archive.quire} exported at ${archive.exportedAt} was imported already at ${report.finishedAt?.toISOString() ?? 'another time'}, and nothing was changed now: --replace brings it back, in the place of what was made since`
  const types = Object.values(entries)
  const versions = types.reduce((sum, { published, drafts }) => sum + published + drafts, 0)
  return [
    `Imported what Quire ${archive.quire} exported at ${archive.exportedAt}: ${versions} versions of entries of ${types.length} types, ${files.count} files with ${Math.round(files.bytes / 1000)} KB`,
    ...(definitions.length === 0
      ? []
      : [`Definitions that were not here: ${definitions.join(', ')}`]),
    ...(archive.secrets
      ? []
      : [
          'API tokens work where the secret is the one that they were made with (API_TOKEN_SALT, or --secrets of the export); else make them again.',
        ]),
  ].join('\n')
}
