import { readdirSync, readFileSync } from 'node:fs'
import type { Case, JsonValue } from '../conformance/records.js'

/** Public reports of one bug in Strapi, as requests to a small model. */
export type BugReport = Readonly<{
  id: string
  title: string
  /** What Strapi does, if the title does not say it. */
  strapi?: string
  quire: string
  /** Addresses on GitHub. */
  reports: readonly string[]
  /** By file, in the flat layout: `{ 'content-types/note.json': { kind: … } }`. */
  schema: Readonly<Record<string, object>>
  cases: readonly ReportCase[]
}>

export type ReportCase = Case &
  Readonly<{
    expect?: Expectation
    /** In profile `strapi`, if it differs. */
    expectStrapi?: Expectation
    /** Whether it is sent concurrently with adjacent cases that also have it. */
    atOnce?: boolean
    /** Strapi has no REST route for it. */
    only?: 'quire'
  }>

export type Expectation = Readonly<{
  status?: number
  /** Values by path in a successful response (`value-at.ts`). Strings may contain placeholders. */
  values?: Readonly<Record<string, JsonValue>>
  notNull?: readonly string[]
  /** Path of a list -> captured list that shares no member with it. */
  disjoint?: Readonly<Record<string, string>>
  says?: string
  /** The header `Quire-Ignored`. */
  ignored?: string
}>

// This file runs from dist/test/reports, but the data is only in the source folder.
const folder = new URL('../../../test/reports/', import.meta.url)

/** Reads `01.json`, `02.json` and so on. Cases are sent with a full-access token. */
export const loadBugReports = (): readonly BugReport[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => {
      const report = JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as BugReport
      const about = { area: report.id, phase: 'write', as: 'full' } as const
      const cases = report.cases
        .flatMap(repeat)
        .map((one, i) => ({ ...one, ...about, id: `${report.id}.${i + 1}` }))
      return { ...report, cases }
    })

/** Expands `"repeat": 15` to fifteen cases. `${i}` is the number of each. */
function repeat(one: ReportCase & Readonly<{ repeat?: number }>): readonly ReportCase[] {
  const { repeat: count, ...rest } = one
  if (count === undefined) return [rest]
  const text = JSON.stringify(rest)
  return Array.from({ length: count }, (_, i) => {
    const number = String(i + 1)
    return JSON.parse(text.replaceAll('"${i}"', number).replaceAll('${i}', number)) as ReportCase
  })
}
