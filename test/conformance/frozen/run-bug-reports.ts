import { loadBugReports } from '../../reports/bug-reports.js'
import { startReport } from '../../reports/open-report.js'
import { startDatabaseServer } from '../../support/database-server.js'
import type { Answers } from '../compare.js'
import type { Answer } from '../records.js'
import type { RunCase } from '../run-cases.js'

/** Runs the cases of every bug report in their order, each report against a fresh service in the default settings. */
export async function runBugReports(run: RunCase): Promise<Answers> {
  const server = await startDatabaseServer()
  const answers: Answer[] = []
  try {
    for (const report of loadBugReports()) {
      const uri = new URL(server.uriOf(`bug_report_${report.id}`))
      // The embedded engine has no sessions, which retries need.
      uri.searchParams.set('retryWrites', 'false')
      const { url, tokens, names, stop } = await startReport(report, { databaseUri: uri.href })
      try {
        for (const one of report.cases) answers.push(await run(url, tokens, names, one))
      } finally {
        await stop()
      }
    }
  } finally {
    await server.stop()
  }
  return new Map(answers.map((answer) => [answer.id, answer]))
}
