import { afterEachFile } from './after-each-file.js'
import { atEndOfRun } from './at-end-of-run.js'
import { startDatabaseServer, type DatabaseServer } from './database-server.js'

/** Returns the URI of a new database on a server that several test files share. */
export async function testDatabaseUri(): Promise<string> {
  server ??= startDatabaseServer()
  const number = (count += 1)
  const uri = new URL((await server).uriOf(`quire_test_${process.pid}_${number}`))
  // Turns retries off, because they need sessions, which the embedded engine does not have.
  uri.searchParams.set('retryWrites', 'false')
  return uri.href
}

let server: Promise<DatabaseServer> | undefined
let count = 0
/** Number of databases that were created on earlier servers. */
let countBefore = 0
const mostDatabases = 40

/**
 * Replaces a server on which many databases were created: it keeps the files of dropped databases open for ten minutes,
 * and crashes at the limit of open files.
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
  // Nothing to do here: other processes watch the server, and stop it as soon as this process has exited.
  () => undefined,
)
