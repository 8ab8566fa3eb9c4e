import { writeFile } from 'node:fs/promises'
import { builtIn } from '../../engine/schema/registry.js'
import { countText } from '../../engine/values/count-text.js'
import { ownerOnly } from '../../server/backup/archive/new-file.js'
import { isFile } from '../../server/project/safe-folder.js'
import { ownCommand } from '../../server/settings/own-command.js'
import { loadConfig } from '../../server/settings/config.js'
import { printReport } from '../print-json.js'
import { onProgress } from '../progress.js'
import { withExclusive } from '../with-exclusive.js'
import type { SelectionRequest } from '../../server/backup/selection.js'
import { withPatterns } from '../import-runner/check-versions.js'
import { runImport, type ImportOptions } from '../import-runner/run-import.js'
import { readOverview, type Overview } from './archive-overview.js'
import { uidsBy, type Renames } from './archive-renames.js'
import type { ArchiveRecord } from './archive-record.js'
import { archiveSource, maxShown } from './archive-source.js'
import type { LeftOut } from './left-out.js'

/**
 * Runs `quire import`: verifies an archive, and imports it. Running a killed command again continues the import.
 * Returns whether everything was imported.
 * @throws ArchiveError, SchemaError, or Error if the import is rejected
 */
export async function importArchive(
  file: string,
  {
    json,
    only,
    exclude,
    ...options
  }: ImportOptions & SelectionRequest & Readonly<{ json: boolean }>,
): Promise<boolean> {
  const config = loadConfig()
  const requested = { only, exclude }
  const leftOut: LeftOut[] = []
  onProgress('Comparing the archive with its checksums')
  const overview = await readOverview(file)
  const { record, wasDone } = await withPatterns(config, (checkPatterns) =>
    withExclusive('import', config, async (database) =>
      runImport(
        database,
        await archiveSource(database, overview, { ...options, requested, checkPatterns, leftOut }),
        options.replace,
      ),
    ),
  )
  const report = reportOf(overview, record, wasDone, leftOut)
  const listed = json || report.leftOutCount <= maxShown ? undefined : `${file}.left-out.jsonl`
  const isListed =
    listed !== undefined && (wasDone ? await isFile(listed) : await writeList(listed, leftOut))
  printReport(json, report, () => formatImport(report, isListed ? listed : undefined))
  return report.leftOutCount === 0
}

/** Writes the omitted versions to a file, one per line as JSON. Returns false if the file could not be written. */
async function writeList(file: string, leftOut: readonly LeftOut[]): Promise<boolean> {
  const text = leftOut.map((version) => `${JSON.stringify(version)}\n`).join('')
  return writeFile(file, text, { mode: ownerOnly }).then(
    () => true,
    () => false,
  )
}

/** The report on an import. */
export type ImportReport = ReturnType<typeof reportOf>

function reportOf(
  { manifest, end }: Overview,
  record: ArchiveRecord,
  wasDone: boolean,
  leftOut: readonly LeftOut[],
) {
  const { quire, exportedAt, moment, secrets } = manifest
  const { checksum, entries, files, tokens } = end
  const { asked, finishedAt, definitions, brings, renames } = record
  const uidHere = uidsBy(renames.types)
  const { byType = {}, drafts: leftOutDrafts = 0, first = [] } = record.leftOut ?? {}
  const types = Object.entries(entries)
    .map(([uid, count]) => [uidHere(uid), count] as const)
    .filter(([uid]) => brings.types.includes(uid))
    .map(([uid, { published, drafts }]) => {
      const count = byType[uid] ?? 0
      const stored = { published: published - count, drafts }
      return [uid, { archived: published + drafts, ...stored, leftOut: count }] as const
    })
  return {
    archive: { quire, exportedAt, moment, secrets, checksum },
    asked,
    /** When this archive was imported, possibly by an earlier run. */
    finishedAt,
    wasDone,
    definitions,
    renames,
    /** The numbers of archived, stored and omitted versions, by uid. */
    entries: Object.fromEntries(types),
    files: brings.types.includes(builtIn.file) ? files : { count: 0, bytes: 0 },
    tokens: brings.parts.includes('tokens') ? tokens : 0,
    /** The number of published versions that were not imported, and how many of them exist as drafts. */
    leftOutCount: types.reduce((sum, [, one]) => sum + one.leftOut, 0),
    leftOutDrafts,
    /** All omitted versions, or only the first ones if an earlier run imported the archive. */
    leftOut: wasDone ? first : leftOut,
  }
}

/** `listed` is the file that lists all omitted versions, if there is one. */
function formatImport(report: ImportReport, listed: string | undefined): string {
  const { archive, entries, files, definitions } = report
  if (report.wasDone)
    return [
      `The export of Quire ${archive.quire} at ${archive.exportedAt} was already imported at ${report.finishedAt?.toISOString() ?? 'another time'}, so nothing was changed. To import it again and remove later changes, use --replace`,
      ...formatLeftOut(report, listed),
    ].join('\n')
  const counts = Object.values(entries).map(({ published, drafts }) => published + drafts)
  const versions = counts.reduce((sum, count) => sum + count, 0)
  const types = counts.filter((count) => count > 0)
  return [
    `Imported the export of Quire ${archive.quire} at ${archive.exportedAt}: ${countText(versions, 'version')} of entries of ${countText(types.length, 'type')}, ${countText(files.count, 'file')} with ${Math.round(files.bytes / 1000)} KB`,
    ...(definitions.length === 0 ? [] : [`New definitions: ${definitions.join(', ')}`]),
    ...formatRenames(report.renames),
    ...(entries[builtIn.adminUser] === undefined
      ? []
      : [
          'The admins and their passwords are now those of the archive. Check ADMIN_EMAIL and ADMIN_PASSWORD.',
        ]),
    ...(archive.secrets || report.tokens === 0
      ? []
      : [
          'API tokens work only with the secret of the exported service (API_TOKEN_SALT, or an export with --secrets). Otherwise, create them again.',
        ]),
    ...formatLeftOut(report, listed),
  ].join('\n')
}

function formatRenames({ types, attributes }: Renames): readonly string[] {
  const lines = [
    ...types.map(({ from, to }) => `${from} is now ${to}`),
    ...attributes.map(({ uid, from, to }) => `"${from}" of ${uid} is now "${to}"`),
  ]
  return lines.length === 0 ? [] : [`Renamed on import: ${lines.join(', ')}`]
}

function formatLeftOut(
  { leftOut, leftOutCount, leftOutDrafts, wasDone }: ImportReport,
  listed: string | undefined,
): readonly string[] {
  if (leftOutCount === 0) return []
  const notImported = leftOutCount - leftOutDrafts
  const became = `entries ${wasDone ? 'that became drafts' : 'that are drafts now'}: ${leftOutDrafts}, that were not imported: ${notImported}`
  const shown = listed === undefined ? leftOut : leftOut.slice(0, maxShown)
  const rest = leftOutCount - shown.length
  return [
    `These published versions were left out, because the definitions of this project ${wasDone ? 'did' : 'do'} not allow them (${became}):`,
    ...shown.map(lineOf),
    ...(rest === 0
      ? []
      : [listed === undefined ? `  … and ${rest} more` : `  … The full list is in ${listed}`]),
    ...(notImported === 0
      ? []
      : [
          `Relations to entries that were not imported stay, but show nothing. To remove them: ${ownCommand('repair')}`,
        ]),
  ]
}

/** Returns for example `api::dish.dish x8b3… en (draft): price: price must be defined. (entries/…:17)`, indented. */
function lineOf({ uid, documentId, locale, row, errors, moreErrors, ...version }: LeftOut): string {
  const entry = [uid, documentId, ...(locale === null ? [] : [locale])].join(' ')
  const wrong = errors.map(({ path, message }) => `${path}: ${message}`)
  const more = moreErrors === 0 ? [] : [`… and ${moreErrors} more`]
  return `  ${entry} (${remainsOf(version)}): ${[...wrong, ...more].join('; ')} (${row})`
}

function remainsOf({ isDraft, isModified }: Pick<LeftOut, 'isDraft' | 'isModified'>): string {
  if (!isDraft) return 'not imported'
  return isModified ? 'draft with other values' : 'draft'
}
