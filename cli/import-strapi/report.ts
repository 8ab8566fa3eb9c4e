import { countText } from '../../engine/values/count-text.js'
import { ownCommand } from '../../server/settings/own-command.js'
import type { DefinitionPlan } from '../import-runner/place-definitions.js'
import type { ExportRecord } from './export-record.js'
import type { Note } from './notes.js'
import type { Plan } from './export-overview.js'

/** The report on an import. */
export type ImportReport = ReturnType<typeof reportOf>

type Outcome = Pick<ExportRecord, 'mapped' | 'media' | 'notes' | 'finishedAt'> &
  Readonly<{
    state: 'tried' | 'imported'
    wasDone?: boolean
    refused: readonly string[]
    unseen?: string | undefined
  }>

export function reportOf(
  { overview, neverIncluded }: Plan,
  { state, finishedAt, wasDone = false, mapped, media, notes, refused, unseen }: Outcome,
  { missing, replaced, differences }: DefinitionPlan,
) {
  const { id, strapiVersion, exportedAt, links, assets, rows: counts } = overview
  const rows = [...counts.values()].reduce((sum, count) => sum + count, 0)
  const ofKind = (kind: Note['kind']) =>
    notes
      .filter((note) => note.kind === kind)
      .map(({ what, count, examples }) => ({ what, count, examples }))
  const leftOut = ofKind('left-out')
  return {
    state,
    finishedAt,
    /** Whether an earlier run had already finished the import. */
    wasDone,
    archive: { id, strapiVersion, exportedAt, rows, links, ...assets },
    /** The sample types from `quire init` that the import replaces. */
    replaced: replaced.map(({ uid }) => uid),
    /** Definitions that the project did not have before the import. */
    definitions: missing.map(({ uid }) => uid),
    /** One sentence for each difference between the export's definitions and the project's. */
    differences,
    mapped,
    /** The numbers of rows read and entries written, by uid. The uid is empty for rows without a type. */
    rows: Object.fromEntries(
      [...counts].map(([uid, read]) => {
        const { drafts = 0, published = 0 } = mapped[uid] ?? {}
        return [uid, { read, written: drafts + published, because: reasonsOf(uid, notes) }]
      }),
    ),
    media,
    adapted: ofKind('adapted'),
    leftOut,
    neverIncluded,
    refused,
    unseen,
    next: refused.length > 0 ? [] : nextSteps(state, leftOut),
  }
}

/** Returns why the numbers of entries and rows of a type differ. */
const reasonsOf = (uid: string, notes: readonly Note[]) =>
  notes
    .filter(({ rowsOf }) => rowsOf === uid)
    .map(({ kind, what, count }) => {
      const isMore = kind === 'adapted' || kind === 'added'
      return { what, entries: isMore ? count : -count }
    })

function nextSteps(
  state: Outcome['state'],
  leftOut: readonly Readonly<{ what: string }>[],
): readonly string[] {
  if (state === 'tried') return ['run the same command without --dry-run to import']
  const isMissing = leftOut.some(({ what }) => what.startsWith('content of files'))
  return [
    ...(isMissing
      ? [`run \`${ownCommand('media check')}\` to list the files without content`]
      : []),
    `run \`${ownCommand('start')}\` to serve the imported content`,
    'create API tokens for your clients (POST /admin/api-tokens)',
    'check what your clients rely on: docs/coming-from-strapi.md, "What differs" (PROFILE=strapi)',
  ]
}

/** Formats the report for people. */
export function formatReport(report: ImportReport): string {
  const { archive, mapped, media, definitions, differences, adapted, leftOut, state } = report
  const { wasDone, finishedAt } = report
  const isTried = state === 'tried'
  const types = Object.entries(mapped)
  const width = Math.max(...types.map(([uid]) => uid.length), 0)
  return [
    `Strapi ${archive.strapiVersion}, exported at ${archive.exportedAt}: ${[countText(archive.rows, 'row'), ...(archive.links === undefined ? [] : [countText(archive.links, 'link')]), countText(archive.files, 'file')].join(', ')}`,
    ...(wasDone
      ? [
          `It was already imported at ${finishedAt?.toISOString() ?? 'another time'}, so nothing was changed. To import it again and remove later changes, use --replace`,
        ]
      : []),
    ...section(
      `Unused sample types of \`quire init\` that ${isTried ? 'would be' : 'were'} replaced`,
      report.replaced,
    ),
    ...section('New definitions', definitions),
    ...section('Definitions that differ', differences),
    ...section(
      isTried ? 'Would be imported' : 'Imported',
      types.map(
        ([uid, { documents, drafts, published }]) =>
          `${uid.padEnd(width)}  ${countText(documents, 'document')}: ${published} published${drafts > 0 ? `, ${countText(drafts, 'draft')}` : ''}`,
      ),
    ),
    ...section('Files', [`${media.files} with ${Math.round(media.bytes / 1000)} KB`]),
    ...section('Rows read → entries written', formatRows(report.rows)),
    ...section('Adapted', adapted.map(lineOf)),
    ...section('Left out', leftOut.map(lineOf)),
    ...section('An import never includes', report.neverIncluded),
    ...section('Next', report.next),
    ...section('The database could not be checked', report.unseen ? [report.unseen] : []),
    ...section('The import would be refused', report.refused),
  ].join('\n')
}

function formatRows(rows: ImportReport['rows']): readonly string[] {
  const types = Object.entries(rows)
  const width = Math.max(...types.map(([uid]) => uid.length), 'in all'.length)
  const sum = (of: (one: ImportReport['rows'][string]) => number): number =>
    types.reduce((total, [, one]) => total + of(one), 0)
  const line = (uid: string, read: number, written: number, because = ''): string =>
    `${(uid || 'no type').padEnd(width)}  ${read} → ${written}${because}`
  return [
    ...types.map(([uid, { read, written, because }]) => {
      const reasons = because.map(({ what, entries }) => `${signed(entries)} ${what}`)
      const rest = written - read - because.reduce((total, { entries }) => total + entries, 0)
      const all = rest === 0 ? reasons : [...reasons, `${signed(rest)} for no known reason`]
      return line(uid, read, written, all.length > 0 ? ` (${all.join('; ')})` : '')
    }),
    line(
      'in all',
      sum(({ read }) => read),
      sum(({ written }) => written),
    ),
  ]
}

const signed = (count: number): string => (count > 0 ? `+${count}` : `−${-count}`)

const section = (title: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : ['', `${title}:`, ...lines.map((line) => `  ${line}`)]

const lineOf = ({ what, count, examples }: Omit<Note, 'kind'>): string =>
  `${count} × ${what}${examples.length === 0 ? '' : ` (${examples.join(', ')}${count > examples.length ? ', …' : ''})`}`
