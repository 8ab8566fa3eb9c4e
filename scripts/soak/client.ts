import { once } from 'node:events'
import { Agent, request as send, type IncomingMessage } from 'node:http'

export type Asked = Readonly<{
  method?: string
  path: string
  headers?: Readonly<Record<string, string>>
  body?: Buffer | string | undefined
}>

export type Answered = Readonly<{
  status: number
  headers: IncomingMessage['headers']
  text: string
}>

/** Asks one service over connections that are kept. Rejects where there is no whole answer. */
export type Client = Readonly<{
  url: string
  ask: (asked: Asked) => Promise<Answered>
  close: () => void
}>

/** No answer takes longer than the service gives itself, and a hanging one is an error. */
const timeoutMs = 60_000

/** @param connections that are open at most */
export function createClient(url: string, connections: number): Client {
  // Half of what a service keeps them for: none is used that it is about to close.
  const agent = new Agent({ keepAlive: true, maxSockets: connections, timeout: 30_000 })
  return {
    url,
    ask: async ({ method = 'GET', path, headers = {}, body }) => {
      const signal = AbortSignal.timeout(timeoutMs)
      const length = body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) }
      const request = send(url + path, {
        method,
        agent,
        signal,
        headers: { ...headers, ...length },
      })
      request.end(body)
      const [response] = (await once(request, 'response')) as [IncomingMessage]
      const text = Buffer.concat((await response.toArray()) as Buffer[]).toString()
      return { status: response.statusCode ?? 0, headers: response.headers, text }
    },
    close: () => agent.destroy(),
  }
}
