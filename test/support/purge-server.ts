import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { Webhook } from 'standardwebhooks'

export const purgeSecret = `whsec_${Buffer.from('a secret of the tests that is 33 bytes').toString('base64')}`

export type PurgeServer = Readonly<{
  url: string
  /** For each request with a valid signature: the cache keys to purge. */
  taken: readonly (readonly string[])[]
  keys: () => ReadonlySet<string>
  /** For each request with an invalid signature: the error message. */
  wrong: readonly string[]
  forget: () => void
  stop: () => Promise<void>
}>

/**
 * Starts a server that verifies the signatures of purges (Standard Webhooks). `refusal` can send another response than
 * 204, and then returns true.
 */
export async function startPurgeServer(
  refusal: (response: ServerResponse) => boolean = () => false,
): Promise<PurgeServer> {
  const taken: (readonly string[])[] = []
  const wrong: string[] = []
  const webhook = new Webhook(purgeSecret)
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      if (refusal(response)) return
      try {
        const message = webhook.verify(body, request.headers as Record<string, string>) as {
          type: string
          data: { keys: string[] }
        }
        if (message.type === 'cache.purge') taken.push(message.data.keys)
      } catch (error) {
        wrong.push(String(error))
      }
      response.writeHead(204).end()
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    ...{ url: `http://127.0.0.1:${port}/purge`, taken, wrong },
    keys: () => new Set(taken.flat()),
    forget: () => void taken.splice(0),
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
