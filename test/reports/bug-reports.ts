import { readdirSync, readFileSync } from 'node:fs'
import type { Case, JsonValue } from '../conformance/records.js'

/** A bug in Strapi that users have reported publicly, and requests to a small model that show it. */
export type BugReport = Readonly<{
  id: string
  title: string
  /** What Strapi does, if the title does not say it. */
  strapi?: string
  quire: string
  /** Addresses of the reports on GitHub. */
  reports: readonly string[]
  /** Definitions by file, in the flat layout: `{ 'content-types/note.json': { kind: … } }`. */
  schema: Readonly<Record<string, object>>
  cases: readonly ReportCase[]
}>

export type ReportCase = Case &
  Readonly<{
    expect?: Expectation
    /** Expectation in profile `strapi`, if it differs from `expect`. */
    expectStrapi?: Expectation
    /** Whether the case is sent concurrently with adjacent cases that also have `atOnce`. */
    atOnce?: boolean
    /** Set if Strapi has no REST route for the request. */
    only?: 'quire'
  }>

export type Expectation = Readonly<{
  status?: number
  /** Expected values by path in a successful response (`value-at.ts`). Strings may contain placeholders. */
  values?: Readonly<Record<string, JsonValue>>
  notNull?: readonly string[]
  /** By path of a list in the response: name of a captured list that must share no member with it. */
  disjoint?: Readonly<Record<string, string>>
  says?: string
  /** Expected value of the header `Quire-Ignored`. */
  ignored?: string
}>

// This file runs from dist/test/reports, but the data is only in the source folder.
const folder = new URL('../../../test/reports/', import.meta.url)

/** Reads the reports `01.json`, `02.json` and so on. All their cases are sent with a full-access token. */
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

/** Expands a case with `"repeat": 15` to fifteen cases, and replaces `${i}` with the number of each. */
function repeat(one: ReportCase & Readonly<{ repeat?: number }>): readonly ReportCase[] {
  const { repeat: count, ...rest } = one
  if (count === undefined) return [rest]
  const text = JSON.stringify(rest)
  return Array.from({ length: count }, (_, i) => {
    const number = String(i + 1)
    return JSON.parse(text.replaceAll('"${i}"', number).replaceAll('${i}', number)) as ReportCase
  })
}
