import type { SourcedDefinition } from '../../engine/schema/define-all.js'
import { present } from '../../engine/schema/read-options.js'
import type { ImportRecord, Mapped } from './import-record.js'
import type { Note } from './notes.js'
import type { Overview } from './overview.js'

/** What became of an export. */
export type ImportReport = Readonly<{
  state: 'tried' | 'imported'
  archive: Readonly<{
    id: string
    strapiVersion: string
    exportedAt: string
    rows: number
    links?: number
    files: number
    bytes: number
  }>
  /** uids of definitions that were not here. */
  definitions: readonly string[]
  /** Where those of the export and those that are here differ. */
  differences: readonly string[]
  /** By uid of the type. */
  mapped: Readonly<Record<string, Mapped>>
  media: Readonly<{ files: number; bytes: number }>
  adapted: readonly Omit<Note, 'kind'>[]
  leftOut: readonly Omit<Note, 'kind'>[]
}>

type Given = Readonly<{
  missing: readonly SourcedDefinition[]
  differences: readonly string[]
}>

export function reportOf(
  { overview }: Readonly<{ overview: Overview }>,
  {
    stage,
    mapped,
    media,
    notes,
  }: Pick<ImportRecord, 'mapped' | 'media' | 'notes'> &
    Readonly<{ stage: 'tried' | ImportRecord['stage'] }>,
  { missing, differences }: Given,
): ImportReport {
  const { id, strapiVersion, exportedAt, links, assets } = overview
  const rows = [...overview.rows.values()].reduce((sum, count) => sum + count, 0)
  const ofKind = (kind: Note['kind']) =>
    notes.filter((note) => note.kind === kind).map(({ kind: _kind, ...note }) => note)
  return {
    state: stage === 'tried' ? 'tried' : 'imported',
    archive: { id, strapiVersion, exportedAt, rows, ...present({ links }), ...assets },
    definitions: missing.map(({ uid }) => uid),
    ...{ differences, mapped, media },
    ...{ adapted: ofKind('adapted'), leftOut: ofKind('left-out') },
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
