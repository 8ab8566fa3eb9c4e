import type { Db } from 'mongodb'
import { MongoClient } from 'mongodb'
import { startMongod } from '../../support/start-mongod.js'

/** A database server for one test file. `db()` returns a new, empty database. */
export type TestDatabase = Readonly<{
  db: () => Db
  commandsOf: (work: () => Promise<void>) => Promise<readonly string[]>
  stop: () => Promise<void>
}>

export async function startTestDatabase(): Promise<TestDatabase> {
  const server = await startMongod()
  const client = await MongoClient.connect(server.getUri(), { monitorCommands: true })
  let count = 0
  return {
    db: () => client.db(`test${++count}`),
    commandsOf: async (work) => {
      const names: string[] = []
      const note = ({ commandName }: { commandName: string }) => void names.push(commandName)
      client.on('commandStarted', note)
      await work()
      client.off('commandStarted', note)
      return names
    },
    stop: async () => {
      await client.close()
      await server.stop()
    },
  }
}
