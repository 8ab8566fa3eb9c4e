import { readFile } from 'node:fs/promises'
import type { Socket } from 'node:net'
import ipaddr from 'ipaddr.js'

/** How many of the bytes written to a socket have been sent. */
export type Sent = Readonly<{
  /** Bytes in writes that the system has accepted completely. It may have accepted part of the next write. */
  taken: number
  isPending: boolean
  /** Bytes in the system's send buffer that the client has not acknowledged. */
  queued: number
}>

/**
 * Returns how much each socket has sent. On Linux, reads from /proc what the system buffers: up to 4 MB for a client
 * that reads nothing (`net.ipv4.tcp_wmem`). Elsewhere, `queued` is 0.
 */
export async function readSent(sockets: readonly Socket[]): Promise<ReadonlyMap<Socket, Sent>> {
  // Read this before the send buffers. Otherwise, bytes could count as acknowledged too early.
  const written = sockets.map((socket) => {
    const { bytesWritten, writableLength } = socket
    return { socket, taken: bytesWritten - writableLength, isPending: writableLength > 0 }
  })
  const queues = await readSendQueues()
  return new Map(
    written.map(({ socket, ...sent }) => [
      socket,
      { ...sent, queued: queues.get(keyOf(socket)) ?? 0 },
    ]),
  )
}

/**
 * Returns a connection's key in Linux's table: `0539 0100007F:C350` is local port 1337, and port 50000 of 127.0.0.1.
 */
function keyOf({ localPort = 0, remotePort = 0, remoteAddress }: Socket): string {
  if (remoteAddress === undefined) return ''
  const port = (n: number): string => n.toString(16).padStart(4, '0')
  const address = Buffer.from(ipaddr.parse(remoteAddress).toByteArray()).swap32().toString('hex')
  return `${port(localPort)} ${address}:${port(remotePort)}`.toUpperCase()
}

/** Returns the size of each non-empty send buffer in this network namespace. */
async function readSendQueues(): Promise<ReadonlyMap<string, number>> {
  const tables = await Promise.all(
    ['tcp', 'tcp6'].map((name) => readFile(`/proc/self/net/${name}`, 'latin1').catch(() => '')),
  )
  const queues = new Map<string, number>()
  for (const [, connection = '', bytes = ''] of tables.join('').matchAll(waiting))
    queues.set(connection, Number.parseInt(bytes, 16))
  return queues
}

/** Matches a line with a non-empty `tx_queue`: `sl localAddress:port remoteAddress:port state tx_queue:rx_queue …` */
const waiting = /^ *\d+: [\dA-F]+:([\dA-F]+ [\dA-F]+:[\dA-F]+) \S\S (?!00000000)([\dA-F]{8}):/gm
