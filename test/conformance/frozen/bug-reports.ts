import { readFileSync } from 'node:fs'
import { dataPath } from '../data.js'
import type { Case } from '../records.js'

/** Public reports of one bug in Strapi, as requests to a model of their own. */
export type BugReport = Readonly<{
  id: string
  title: string
  /** Definitions by file, in the flat layout: `{ 'content-types/note.json': { kind: … } }`. */
  schema: Readonly<Record<string, object>>
  cases: readonly Case[]
}>

/** Reads `bug-reports.json`. Cases have no id there; they are sent with a full-access token. */
export function loadBugReports(): readonly BugReport[] {
  const text = readFileSync(dataPath('frozen/bug-reports.json'), 'utf8')
  return (JSON.parse(text) as readonly BugReport[]).map((report) => ({
    ...report,
    cases: report.cases.map((one, i) => ({
      ...one,
      ...{ id: `${report.id}.${i + 1}`, area: report.id, phase: 'write', as: 'full' },
    })),
  }))
}
