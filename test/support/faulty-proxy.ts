import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** How the proxied HTTP server can fail. */
export type Fault = 'answers 503' | 'hangs' | 'cuts the connection'

export type FaultyProxy = Readonly<{
  /** URL of the proxy, such as `http://127.0.0.1:4000`. */
  url: string
  /** Starts a fault now, or after clients have sent `afterBytes` more bytes. Without a fault, ends the current one. */
  fail: (fault: Fault | undefined, afterBytes?: number) => void
  close: () => void
}>

/** Starts a proxy for a real server. Except during a fault, it passes all bytes on. */
export async function startFaultyProxy(target: string): Promise<FaultyProxy> {
  const { hostname, port } = new URL(target)
  const sockets = new Set<Socket>()
  let fault: Fault | undefined
  let bytesLeft = 0

  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname)
    const end = (): void => {
      client.destroy()
      upstream.destroy()
    }
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', end).on('close', () => sockets.delete(socket))
    }
    client.on('close', () => upstream.destroy())
    upstream.on('end', () => client.end())
    let isFailing = false
    client.on('data', (bytes) => {
      bytesLeft -= bytes.length
      if (fault !== undefined && bytesLeft < 0 && !isFailing) {
        isFailing = true
        if (fault === 'cuts the connection') end()
        if (fault === 'answers 503') client.end(unavailable)
      }
      if (!isFailing) upstream.write(bytes)
    })
    upstream.on('data', (bytes) => {
      if (!isFailing) client.write(bytes)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    fail: (next, afterBytes = 0) => {
      fault = next
      bytesLeft = afterBytes
      // Closes all connections, because some may hang. A server that restarts would close them, too.
      if (next === undefined) for (const socket of sockets) socket.destroy()
    },
    close: () => {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

const unavailable = 'HTTP/1.1 503 Slow Down\r\nContent-Length: 0\r\nConnection: close\r\n\r\n'
