import { expect } from 'chai'
import { profileSettings } from '../conformance/quire-process.js'
import { sendCase } from '../conformance/run-case.js'
import { loadBugReports, type ReportCase } from './bug-reports.js'
import { findMistakes } from './find-mistakes.js'
import { openReport, startReport, type OpenReport } from './open-report.js'

/** URL of a running server to test. Without it, each report starts a new service. */
const { BASE, TOKEN = '', ADMIN_JWT = '', ONLY_STRAPI } = process.env

const reports = loadBugReports()

describe('public bug reports', () => {
  for (const report of reports) {
    const { id, title } = report
    const cases = report.cases.filter(({ only }) => only === undefined || !ONLY_STRAPI)
    it(`have the expected responses in report ${id}: ${title}`, async () => {
      const open = BASE === undefined ? startReport(report) : openReport(BASE, TOKEN, ADMIN_JWT)
      expect(await findAllMistakes(await open, cases)).to.deep.equal([])
    })

    if (BASE !== undefined || cases.every((one) => one.expectStrapi === undefined)) continue
    it(`have the expected responses in report ${id} with profile strapi: ${title}`, async () => {
      const open = await startReport(report, { environment: profileSettings.strapi })
      const asInStrapi = cases.map((one) => ({
        ...one,
        expect: one.expectStrapi ?? one.expect ?? {},
      }))
      expect(await findAllMistakes(open, asInStrapi)).to.deep.equal([])
    })
  }
})

async function findAllMistakes(
  { url, tokens, names, stop }: OpenReport,
  cases: readonly ReportCase[],
): Promise<readonly string[]> {
  const run = async (one: ReportCase): Promise<readonly string[]> => {
    const answer = await sendCase(url, tokens, names, one)
    const mistakes = findMistakes(one.expect ?? {}, answer, names)
    return mistakes.map((mistake) => `${one.id} ${one.method} ${one.path}: ${mistake}`)
  }
  try {
    const mistakes: string[] = []
    for (const group of groups(cases)) mistakes.push(...(await Promise.all(group.map(run))).flat())
    return mistakes
  } finally {
    await stop()
  }
}

/** Puts adjacent cases that are sent concurrently into one group, and every other case into a group of its own. */
function groups(cases: readonly ReportCase[]): readonly (readonly ReportCase[])[] {
  const all: ReportCase[][] = []
  for (const one of cases) {
    const last = all.at(-1)
    if (one.atOnce === true && last?.[0]?.atOnce === true) last.push(one)
    else all.push([one])
  }
  return all
}
