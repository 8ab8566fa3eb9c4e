import { MongoMemoryServer } from 'mongodb-memory-server'

/**
 * A database of its own for each caller, on one server that starts when the first asks and ends after the last
 * test. `MONGOMS_SYSTEM_BINARY` names another `mongod` than the embedded engine.
 */
export async function testDatabaseUri(): Promise<string> {
  server ??= MongoMemoryServer.create()
  const number = (count += 1)
  const { port } = (await server).instanceInfo ?? { port: 0 }
  // The embedded engine has no sessions, which retries need.
  return `mongodb://127.0.0.1:${port}/quire_test_${process.pid}_${number}?retryWrites=false`
}

let server: Promise<MongoMemoryServer> | undefined
let count = 0

// At the top of a file that tests import, this is a hook of the whole run.
after(async () => void (await (await server)?.stop()))
