import { isEqual, type Verdict } from './compare.js'
import type { JsonValue } from './records.js'

export type ReportOptions = Readonly<{
  /** Shows only cases whose status differs, without the rest of the answer. */
  statusOnly: boolean
  /** Shows every differing path, not only the first of a case. */
  all: boolean
  max: number
}>

const columns = ['cases', 'status=', 'body=', 'all=', 'alt', 'dev', 'missing'] as const
type Counts = Readonly<Record<(typeof columns)[number], number>>

/** Formats counts per area, then the differing cases. `alt` and `dev` (`Verdict`) count as equal. */
export function formatReport(verdicts: readonly Verdict[], options: ReportOptions): string {
  const areas = [...new Set(verdicts.map((v) => v.expected.area))]
  const shown = verdicts.filter((v) => isShown(v, options))
  const lines = [
    row('area', columns),
    ...areas.map((area) =>
      tableRow(
        area,
        verdicts.filter((v) => v.expected.area === area),
      ),
    ),
    tableRow('TOTAL', verdicts),
  ]
  if (shown.length > 0) lines.push('')
  lines.push(...shown.slice(0, options.max).map((v) => formatCase(v, options)))
  if (shown.length > options.max) lines.push(`… ${shown.length - options.max} more`)
  return [...lines, '', `${shown.length} differing case(s)`].join('\n')
}

const isShown = (verdict: Verdict, { statusOnly }: ReportOptions): boolean =>
  statusOnly ? !isEqual(verdict) && !hasSameStatus(verdict) : !isEqual(verdict)

const hasSameStatus = ({ expected, actual }: Verdict): boolean => expected.status === actual?.status

function tableRow(area: string, verdicts: readonly Verdict[]): string {
  const count = (test: (v: Verdict) => boolean): number => verdicts.filter(test).length
  const counts: Counts = {
    cases: verdicts.length,
    'status=': count((v) => isEqual(v) || hasSameStatus(v)),
    'body=': count((v) => isEqual(v) || hasSameBody(v)),
    'all=': count(isEqual),
    alt: count((v) => v.kind === 'alternative'),
    dev: count((v) => v.kind === 'deviation'),
    missing: count((v) => v.kind === 'missing'),
  }
  return row(
    area,
    columns.map((column) => counts[column]),
  )
}

const hasSameBody = ({ kind, differences }: Verdict): boolean =>
  kind !== 'missing' && !differences.some(({ path }) => path.startsWith('.body'))

const widths = [7, 9, 8, 8, 6, 6, 9]
const row = (name: string, cells: readonly (string | number)[]): string =>
  name.padEnd(14) + cells.map((cell, i) => String(cell).padStart(widths[i] ?? 0)).join('')

/** Returns the request of a case and the differences of its answer. */
export function formatCase(
  verdict: Verdict,
  { statusOnly, all }: Omit<ReportOptions, 'max'>,
): string {
  const { expected, actual, differences } = verdict
  const { as, method, path } = expected.request
  if (actual === undefined) return `${expected.id}: not answered`
  const lines = [`${expected.id}  [${as} ${method} ${path.slice(0, 140)}]`]
  if (!hasSameStatus(verdict)) lines.push(`    status: ${expected.status} -> ${actual.status}`)
  if (statusOnly) return [...lines, `    ${gist(expected.body)} -> ${gist(actual.body)}`].join('\n')
  const listed = all ? differences : differences.slice(0, 1)
  const more = differences.length - listed.length
  for (const { path, expected, actual } of listed)
    lines.push(
      `    ${path.slice(1)}: ${short(expected)} -> ${short(actual)}${more > 0 ? `   (+${more} more)` : ''}`,
    )
  return lines.join('\n')
}

function gist(body: JsonValue | undefined): string {
  const error = (body as { error?: { message?: JsonValue } } | null | undefined)?.error
  return short(error?.message ?? body)
}

function short(value: JsonValue | undefined): string {
  const text = value === undefined ? '(absent)' : JSON.stringify(value)
  return text.length > 160 ? `${text.slice(0, 160)}…` : text
}
