import type { Comparison } from '../import-runner/compare-definitions.js'
import type { ExportRecord } from './export-record.js'
import type { Note } from './notes.js'
import type { Overview } from './export-overview.js'

/** What became of an export. */
export type ImportReport = ReturnType<typeof reportOf>

export function reportOf(
  { id, strapiVersion, exportedAt, links, assets, rows: counts }: Overview,
  {
    state,
    mapped,
    media,
    notes,
  }: Pick<ExportRecord, 'mapped' | 'media' | 'notes'> & Readonly<{ state: 'tried' | 'imported' }>,
  { missing, differences }: Comparison,
) {
  const rows = [...counts.values()].reduce((sum, count) => sum + count, 0)
  const ofKind = (kind: Note['kind']) =>
    notes.filter((note) => note.kind === kind).map(({ kind: _kind, ...note }) => note)
  return {
    state,
    archive: { id, strapiVersion, exportedAt, rows, links, ...assets },
    /** uids of definitions that the project did not have. */
    definitions: missing.map(({ uid }) => uid),
    /** Where the definitions of the export and of the project differ. */
    differences,
    /** By uid of the type. */
    mapped,
    media,
    adapted: ofKind('adapted'),
    leftOut: ofKind('left-out'),
  }
}

/** The report for people. */
export function tellReport(report: ImportReport): string {
  const { archive, mapped, media, definitions, differences, adapted, leftOut, state } = report
  const isTried = state === 'tried'
  const types = Object.entries(mapped)
  const width = Math.max(...types.map(([uid]) => uid.length), 0)
  return [
    `Strapi ${archive.strapiVersion}, exported at ${archive.exportedAt}: ${archive.rows} rows, ${archive.links === undefined ? '' : `${archive.links} links, `}${archive.files} files`,
    ...section('Definitions that were not here', definitions),
    ...section(
      isTried
        ? 'Definitions that differ, so that an import is refused without --keep-definitions'
        : 'Definitions that differ',
      differences,
    ),
    ...section(
      isTried ? 'Would be imported' : 'Imported',
      types.map(
        ([uid, { documents, drafts, published }]) =>
          `${uid.padEnd(width)}  ${documents > 0 ? `${documents} ${documents === 1 ? 'document' : 'documents'}: ` : ''}${published} published${drafts > 0 ? `, ${drafts} drafts` : ''}`,
      ),
    ),
    ...section('Files', [`${media.files} with ${Math.round(media.bytes / 1000)} KB`]),
    ...section('Adapted', adapted.map(lineOf)),
    ...section('Left out', leftOut.map(lineOf)),
  ].join('\n')
}

const section = (title: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : ['', `${title}:`, ...lines.map((line) => `  ${line}`)]

const lineOf = ({ what, count, examples }: Omit<Note, 'kind'>): string =>
  `${count} × ${what}${examples.length === 0 ? '' : ` (${examples.join(', ')}${count > examples.length ? ', …' : ''})`}`
