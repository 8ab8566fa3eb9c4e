import { once } from 'node:events'
import {
  Agent,
  createServer,
  request as ask,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * A load balancer with keep-alive connections. Instances that are ready take turns. If none is ready, all take turns,
 * as with fail-open balancers. It repeats a request at another instance only if the connection was refused.
 */
export type RoundRobin = Readonly<{
  url: string
  /** Returns the number of ready instances. */
  ready: () => number
  /** Adds an instance. It gets requests as soon as it is ready. */
  add: (url: string) => Promise<void>
  remove: (url: string) => void
  close: () => Promise<void>
}>

/**
 * `isGone`: the instance has refused a connection, and has not been ready since then. `asking`: a readiness check is
 * running.
 */
type Instance = { url: string; agent: Agent; isReady: boolean; isGone: boolean; asking: boolean }

/** Interval of the readiness checks, in milliseconds. */
const everyMs = 100

export async function startRoundRobin(): Promise<RoundRobin> {
  const instances: Instance[] = []
  let turn = 0
  const next = (): Instance | undefined => {
    const ready = instances.filter(({ isReady }) => isReady)
    const asked = ready.length > 0 ? ready : instances.filter(({ isGone }) => !isGone)
    turn += 1
    return asked[turn % asked.length]
  }
  const look = async (instance: Instance): Promise<void> => {
    if (instance.asking) return
    instance.asking = true
    instance.isReady = await isReady(instance.url)
    if (instance.isReady) instance.isGone = false
    instance.asking = false
  }
  const timer = setInterval(() => instances.forEach((one) => void look(one)), everyMs)
  const server = createServer((request, response) => {
    void forward(request, response, next)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ready: () => instances.filter(({ isReady }) => isReady).length,
    add: async (url) => {
      const agent = new Agent({ keepAlive: true, maxSockets: 64 })
      const instance = { url, agent, isReady: await isReady(url), isGone: false, asking: false }
      instances.push(instance)
    },
    remove: (url) => {
      const at = instances.findIndex((one) => one.url === url)
      instances.splice(at, at < 0 ? 0 : 1).forEach(({ agent }) => agent.destroy())
    },
    close: async () => {
      clearInterval(timer)
      for (const { agent } of instances) agent.destroy()
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Checks whether an instance is ready, on a new connection, as load balancers do. */
async function isReady(url: string): Promise<boolean> {
  try {
    const answer = await fetch(`${url}/_ready`, {
      headers: { Connection: 'close' },
      signal: AbortSignal.timeout(2000),
    })
    await answer.arrayBuffer()
    return answer.status === 200
  } catch {
    return false
  }
}

async function forward(
  request: IncomingMessage,
  response: ServerResponse,
  next: () => Instance | undefined,
): Promise<void> {
  const body = Buffer.concat(await request.toArray())
  for (;;) {
    const instance = next()
    if (instance === undefined) return refuse(response, 'no instance listens')
    const result = await send(instance, request, body, response)
    if (result === 'done') return
    if (result !== 'ECONNREFUSED') return refuse(response, `${instance.url}: ${result}`)
    Object.assign(instance, { isReady: false, isGone: true })
  }
}

/** Forwards a request to an instance. Resolves to `done`, or to the code of the error. */
function send(
  { url, agent }: Instance,
  { method, url: path = '/', headers }: IncomingMessage,
  body: Buffer,
  response: ServerResponse,
): Promise<string> {
  return new Promise((resolve) => {
    const passed = ask(url + path, { method, agent, headers: withLength(headers, body) })
    passed.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    passed.on('response', (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
      answer.on('end', () => {
        response.writeHead(answer.statusCode ?? 0, endToEnd(answer.headers))
        response.end(Buffer.concat(chunks))
        resolve('done')
      })
    })
    passed.end(body)
  })
}

function withLength(headers: IncomingHttpHeaders, body: Buffer): IncomingHttpHeaders {
  const rest = endToEnd(headers)
  return body.length === 0 ? rest : { ...rest, 'content-length': String(body.length) }
}

/** Removes headers that only apply to one connection. */
function endToEnd(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const ofConnection = ['connection', 'keep-alive', 'transfer-encoding']
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !ofConnection.includes(name)),
  )
}

function refuse(response: ServerResponse, why: string): void {
  response.writeHead(502, { 'Content-Type': 'text/plain' })
  response.end(why)
}
