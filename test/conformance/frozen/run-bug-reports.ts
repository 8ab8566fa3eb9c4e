import { startDatabaseServer } from '../../support/database-server.js'
import { startApp } from '../../support/start-app.js'
import type { Answers } from '../compare.js'
import { newNames } from '../placeholders.js'
import type { Answer } from '../records.js'
import type { RunCase } from '../run-cases.js'
import { loadBugReports, type BugReport } from './bug-reports.js'

/** Runs the cases of every bug report in their order, each report against a fresh service in the default settings. */
export async function runBugReports(run: RunCase): Promise<Answers> {
  const server = await startDatabaseServer()
  try {
    const answers: Answer[] = []
    for (const report of loadBugReports()) {
      const uri = new URL(server.uriOf(`bug_report_${report.id}`))
      // The embedded engine has no sessions, which retries need.
      uri.searchParams.set('retryWrites', 'false')
      answers.push(...(await runBugReport(report, uri.href, run)))
    }
    return new Map(answers.map((answer) => [answer.id, answer]))
  } finally {
    await server.stop()
  }
}

async function runBugReport(
  { schema, cases }: BugReport,
  databaseUri: string,
  run: RunCase,
): Promise<readonly Answer[]> {
  const { url, token, adminJwt, stop } = await startApp({ schema, databaseUri })
  try {
    const tokens = { full: token, readonly: token, custom: token }
    const names = { ...newNames(), values: { TOKEN_admin: adminJwt } }
    const answers: Answer[] = []
    for (const one of cases) answers.push(await run(url, tokens, names, one))
    return answers
  } finally {
    await stop()
  }
}
