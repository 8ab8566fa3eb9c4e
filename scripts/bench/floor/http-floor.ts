import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Db } from 'mongodb'
import { floorRoutes } from './routes.js'

/** The floor on `node:http` alone. */
export function httpFloor(db: Db): RequestListener {
  const routes = new Map(floorRoutes.map((route) => [`${route.method} ${route.name}`, route]))
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const [path = '', search = ''] = (request.url ?? '').split('?', 2)
    const [, name = '', id = ''] = path.split('/', 3)
    const route = routes.get(`${request.method ?? ''} ${name}`)
    if (route === undefined) return send(response, 404, '{}')
    const body = route.method === 'GET' ? undefined : await readJson(request)
    const json = await route.answer(db, { id, query: new URLSearchParams(search), body })
    send(response, route.status, json)
  }
  return (request, response) => {
    respond(request, response).catch((error: unknown) => {
      console.error(error)
      send(response, 500, '{}')
    })
  }
}

function send(response: ServerResponse, status: number, json: string): void {
  const bytes = Buffer.from(json)
  response.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': bytes.byteLength,
  })
  response.end(bytes)
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return JSON.parse(Buffer.concat(chunks).toString()) as unknown
}
