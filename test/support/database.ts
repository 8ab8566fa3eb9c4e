import { afterEachFile } from './after-each-file.js'
import { atEndOfRun } from './at-end-of-run.js'
import { startDatabaseServer, type DatabaseServer } from './database-server.js'

/** Returns a new database for each caller, on a server that several test files share. */
export async function testDatabaseUri(): Promise<string> {
  server ??= startDatabaseServer()
  const number = (count += 1)
  const uri = new URL((await server).uriOf(`quire_test_${process.pid}_${number}`))
  // The embedded engine has no sessions, which retries need.
  uri.searchParams.set('retryWrites', 'false')
  return uri.href
}

let server: Promise<DatabaseServer> | undefined
let count = 0
/** Number of databases on earlier servers. */
let countBefore = 0
const mostDatabases = 40

/**
 * Stops a server that had many databases; the next test starts another one. A server keeps the files of a database open
 * for ten minutes after it was dropped, and crashes when it may not open more.
 */
async function replaceServer(): Promise<void> {
  if (count - countBefore < mostDatabases) return
  const used = server
  server = undefined
  countBefore = count
  await (await used)?.stop()
}

afterEachFile.push(replaceServer)

atEndOfRun(
  async () => (await server)?.stop(),
  // The watchers of the server stop it when this process exits.
  () => undefined,
)
