import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/**
 * A received error report. Each line of the body is JSON: first the envelope header, then the item header, then the
 * event.
 */
type Arrived = Readonly<{ path: string; type: string | undefined; body: string }>

export type SentryServer = Readonly<{
  dsn: string
  arrived: readonly Arrived[]
  stop: () => Promise<void>
}>

/** Starts a server that receives error reports as Sentry does. By default, it accepts each report. */
export async function startSentryServer(
  answer: (response: ServerResponse) => void = (response) => response.end('{}'),
): Promise<SentryServer> {
  const arrived: Arrived[] = []
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const { url = '', headers } = request
      arrived.push({ path: url, type: headers['content-type'], body })
      answer(response)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    dsn: `http://abc123@127.0.0.1:${port}/7`,
    arrived,
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
