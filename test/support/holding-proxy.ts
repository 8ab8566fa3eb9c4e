import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { connect, createServer } from 'node:net'

export type HoldingProxy = Readonly<{
  port: number
  /** Holds back all bytes in both directions. With `text`, only on connections whose latest request contains it. */
  hold: (text?: string) => void
  /** Whether any bytes are held back. */
  isHolding: () => boolean
  /** Forwards all bytes that were held back, in order. */
  go: () => void
  close: () => void
}>

type Way = { held: (() => void)[]; last: Buffer }

/** Starts a proxy that can hold all bytes back, as if the network was down. */
export async function startHoldingProxy(port: number): Promise<HoldingProxy> {
  const sockets = new Set<Socket>()
  const ways = new Set<Way>()
  let held: string | undefined
  const isHeld = ({ last }: Way): boolean => held !== undefined && last.includes(held)

  const server = createServer((client) => {
    const upstream = connect(port, '127.0.0.1')
    const way: Way = { held: [], last: Buffer.alloc(0) }
    ways.add(way)
    const end = (): void => {
      client.destroy()
      upstream.destroy()
      ways.delete(way)
    }
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from)
      from.setNoDelay(true)
      from.on('error', end).on('close', () => sockets.delete(from))
      from.on('data', (bytes) => {
        if (from === client) way.last = bytes
        if (isHeld(way)) way.held.push(() => void to.write(bytes))
        else to.write(bytes)
      })
      from.on('close', () => {
        if (isHeld(way)) way.held.push(end)
        else end()
      })
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    // The default holds all connections, because every request contains the empty string.
    hold: (text = '') => (held = text),
    isHolding: () => [...ways].some((way) => way.held.length > 0),
    go: () => {
      held = undefined
      for (const way of ways) for (const send of way.held.splice(0)) send()
    },
    close: () => {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
