import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import express from 'express'
import helmet from 'helmet'
import type { Db } from 'mongodb'
import { pino } from 'pino'
import { connectDatabase } from '../../../server/database/connect.js'
import { startDatabaseHost } from '../../../server/database/host.js'
import { reads, type Answer } from './reads.js'
import { writes } from './writes.js'

/**
 * A floor in a process of its own, with the environment of Quire: `MONGODB_URI`, else an embedded engine in
 * `DATA_DIR`; `PORT`. Its argument: `http` or `express`. Express answers `/kept/FILE` with that file of the folder it runs in.
 */
const routes = new Map<string, Answer>([
  ...Object.entries(reads).map(([name, answer]): [string, Answer] => [`GET ${name}`, answer]),
  ...Object.entries(writes),
])
const statusOf = (method: string): number => (method === 'POST' ? 201 : 200)
const host = await startDatabaseHost({
  uri: process.env['MONGODB_URI'],
  dataDir: process.env['DATA_DIR'] ?? '',
  log: pino({ level: 'error' }),
})
const client = await connectDatabase(host.uri, { appName: 'quire bench floor' })
const server = createServer((process.argv[2] === 'express' ? onExpress : onHttp)(client.db()))
server.listen(Number(process.env['PORT']), '127.0.0.1')

for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => void stop())

async function stop(): Promise<void> {
  server.closeAllConnections()
  server.close()
  await client.close()
  await host.stop()
  process.exit(0)
}

/** The floor on `node:http` alone. */
function onHttp(db: Db): RequestListener {
  return (request, response) => {
    const send = (status: number, json: string): void => {
      const bytes = Buffer.from(json)
      response.writeHead(status, {
        'Content-Type': 'application/json; charset=utf-8',
        'Content-Length': bytes.byteLength,
      })
      response.end(bytes)
    }
    const respond = async (): Promise<void> => {
      const { method = '', url = '' } = request
      const [path = '', search = ''] = url.split('?', 2)
      const [, name = '', id = ''] = path.split('/', 3)
      const answer = routes.get(`${method} ${name}`)
      if (answer === undefined) return send(404, '{}')
      const chunks: Buffer[] = []
      if (method !== 'GET') for await (const chunk of request) chunks.push(chunk as Buffer)
      const text = Buffer.concat(chunks).toString()
      const body: unknown = text === '' ? undefined : JSON.parse(text)
      send(statusOf(method), await answer(db, { id, query: new URLSearchParams(search), body }))
    }
    respond().catch((error: unknown) => {
      console.error(error)
      send(500, '{}')
    })
  }
}

/** The same answers from Express and helmet as they come, with the `ETag` that Express makes. */
function onExpress(db: Db): RequestListener {
  const app = express()
  app.use(helmet())
  app.use(express.json())
  for (const [route, answer] of routes) {
    const [method = '', name = ''] = route.split(' ')
    const verb = method.toLowerCase() as 'get' | 'post' | 'put' | 'delete'
    app[verb](`/${name}{/:id}`, async (request, response) => {
      const [, search = ''] = request.originalUrl.split('?', 2)
      const { id = '' } = request.params as { id?: string }
      const body: unknown = request.body
      const json = await answer(db, { id, query: new URLSearchParams(search), body })
      response.status(statusOf(method)).type('json').send(json)
    })
  }
  const kept = new Map<string, Readonly<{ bytes: Buffer; tag: string }>>()
  app.get('/kept/:file', ({ params: { file } }, response) => {
    if (!kept.has(file)) {
      const bytes = readFileSync(file)
      // Express would make a tag for each answer.
      kept.set(file, { bytes, tag: `"${hash('sha1', bytes, 'base64url')}"` })
    }
    response.setHeader('ETag', kept.get(file)?.tag ?? '')
    response.type('json').send(kept.get(file)?.bytes)
  })
  return app
}
