import { createServer } from 'node:http'
import { pino } from 'pino'
import { connectDatabase } from '../../../server/database/connect.js'
import { startDatabaseHost } from '../../../server/database/host.js'
import { expressFloor } from './express-floor.js'
import { httpFloor } from './http-floor.js'

/**
 * A floor in a process of its own, with the environment of Quire: `MONGODB_URI`, else an embedded engine in
 * `DATA_DIR`; `PORT`. Its argument: `http` or `express`.
 */
const host = await startDatabaseHost({
  uri: process.env['MONGODB_URI'],
  dataDir: process.env['DATA_DIR'] ?? '',
  log: pino({ level: 'error' }),
})
const client = await connectDatabase(host.uri, { appName: 'quire bench floor' })
const db = client.db()
const server = createServer(process.argv[2] === 'express' ? expressFloor(db) : httpFloor(db))
server.listen(Number(process.env['PORT']), '127.0.0.1')

for (const name of ['SIGINT', 'SIGTERM'] as const) {
  process.once(name, () => void stop())
}

async function stop(): Promise<void> {
  server.closeAllConnections()
  server.close()
  await client.close()
  await host.stop()
  process.exit(0)
}
