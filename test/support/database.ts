import { atEndOfRun } from './at-end-of-run.js'
import { startDatabaseServer, type DatabaseServer } from './database-server.js'

/**
 * A database of its own for each caller, on one server that starts when the first asks and ends after the last
 * test.
 */
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

atEndOfRun(
  async () => (await server)?.stop(),
  // Its own watchers end it with its process.
  () => undefined,
)
