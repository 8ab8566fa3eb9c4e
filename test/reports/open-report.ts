import { newNames, type Names } from '../conformance/placeholders.js'
import type { Tokens } from '../conformance/setup.js'
import { startApp, type AppOptions } from '../support/start-app.js'
import type { BugReport } from './bug-reports.js'

/** A service with the model of a bug report, and the credentials that its cases need. */
export type OpenReport = Readonly<{
  url: string
  tokens: Tokens
  names: Names
  stop: () => Promise<void>
}>

/** Starts a service for a bug report. */
export async function startReport(
  { schema }: BugReport,
  options: Omit<AppOptions, 'schema'> = {},
): Promise<OpenReport> {
  const { url, token, adminJwt, stop } = await startApp({ ...options, schema })
  return { url, ...credentials(token, adminJwt), stop }
}

/** Uses a server that already runs, with the report's model and an empty database. */
export const openReport = (url: string, token: string, adminJwt: string): OpenReport => ({
  url,
  ...credentials(token, adminJwt),
  stop: () => Promise.resolve(),
})

const credentials = (token: string, adminJwt: string): Pick<OpenReport, 'tokens' | 'names'> => ({
  tokens: { full: token, readonly: token, custom: token },
  names: { ...newNames(), values: { TOKEN_admin: adminJwt } },
})
