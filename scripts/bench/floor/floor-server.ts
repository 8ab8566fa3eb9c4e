import { readFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { json } from 'node:stream/consumers'
import express from 'express'
import helmet from 'helmet'
import type { Db } from 'mongodb'
import { pino } from 'pino'
import { connectDatabase } from '../../../server/database/connect.js'
import { startDatabaseHost } from '../../../server/database/host.js'
import { reads, type Answer } from './reads.js'
import { writes } from './writes.js'

/**
 * Runs a floor, a minimal server that Quire is compared with. The argument is the floor's name. A floor reads the same
 * variables as Quire: `PORT`, and `MONGODB_URI` or `DATA_DIR` for an embedded engine. The Express floor also serves
 * `/kept/FILE` from its working directory.
 */
const routes: Readonly<Record<string, Answer>> = { ...reads, ...writes }
const statusOf = (method: string): number => (method === 'POST' ? 201 : 200)
const host = await startDatabaseHost({
  uri: process.env['MONGODB_URI'],
  dataDir: process.env['DATA_DIR'] ?? '',
  log: pino({ level: 'error' }),
})
const client = await connectDatabase(host.uri, { appName: 'quire bench floor' })
const server = createServer((process.argv[2] === 'Express floor' ? onExpress : onHttp)(client.db()))
server.listen(Number(process.env['PORT']), '127.0.0.1')

for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => void stop())

async function stop(): Promise<void> {
  server.closeAllConnections()
  server.close()
  await client.close()
  await host.stop()
  process.exit(0)
}

function onHttp(db: Db): RequestListener {
  return (request, response) => {
    const respond = async (): Promise<void> => {
      const { method = '', url = '' } = request
      const [path = '', search = ''] = url.split('?', 2)
      const [, name = '', id = ''] = path.split('/', 3)
      const body = method === 'GET' ? undefined : await json(request)
      const query = new URLSearchParams(search)
      const text = await routes[name]?.(db, { id, query, body })
      if (text === undefined) return void response.writeHead(404).end()
      const bytes = Buffer.from(text)
      response.writeHead(statusOf(method), {
        'Content-Type': 'application/json; charset=utf-8',
        'Content-Length': bytes.byteLength,
      })
      response.end(bytes)
    }
    respond().catch((error: unknown) => {
      console.error(error)
      response.writeHead(500).end()
    })
  }
}

/** Uses Express and helmet with default options, including Express's `ETag`. Sends the same bodies as `onHttp`. */
function onExpress(db: Db): RequestListener {
  const app = express()
  app.use(helmet())
  app.use(express.json())
  for (const [name, answer] of Object.entries(routes))
    app.all(`/${name}{/:id}`, async ({ method, originalUrl, params, body }, response) => {
      const [, search = ''] = originalUrl.split('?', 2)
      const { id = '' } = params as { id?: string }
      const text = await answer(db, { id, query: new URLSearchParams(search), body })
      response.status(statusOf(method)).type('json').send(text)
    })
  const kept = new Map<string, Buffer>()
  app.get('/kept/:file', ({ params: { file } }, response) => {
    const bytes = kept.get(file) ?? readFileSync(file)
    kept.set(file, bytes)
    // Express would otherwise compute the `ETag` again for each response.
    response.setHeader('ETag', `"${file}"`)
    response.type('json').send(bytes)
  })
  return app
}
