import { readFile } from 'node:fs/promises'
import type { Socket } from 'node:net'
import ipaddr from 'ipaddr.js'

/** The state of the bytes that a socket was given. */
export type Sent = Readonly<{
  /** Bytes of writes that the system has accepted completely. It may have accepted a part of the next write. */
  taken: number
  /** Whether there is a next write. */
  isPending: boolean
  /** Bytes in the system's send buffer, which the client has not acknowledged. */
  queued: number
}>

/**
 * Returns what each socket has sent. Linux buffers up to 4 MB of a response for a client that reads none of it
 * (`net.ipv4.tcp_wmem`), and Node has no call for that. Other systems do not report it; there `queued` is 0.
 */
export async function readSent(sockets: readonly Socket[]): Promise<ReadonlyMap<Socket, Sent>> {
  // Counted before the tables are read, so that no byte counts as acknowledged too early.
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
 * Returns the key of a connection in Linux's tables: `0539 0100007F:C350` is local port 1337, and port 50000 of
 * 127.0.0.1.
 */
function keyOf({ localPort = 0, remotePort = 0, remoteAddress }: Socket): string {
  if (remoteAddress === undefined) return ''
  const port = (n: number): string => n.toString(16).padStart(4, '0')
  const address = Buffer.from(ipaddr.parse(remoteAddress).toByteArray()).swap32().toString('hex')
  return `${port(localPort)} ${address}:${port(remotePort)}`.toUpperCase()
}

/** Returns the bytes in the send buffers of this network namespace by connection, without empty ones. */
async function readSendQueues(): Promise<ReadonlyMap<string, number>> {
  const tables = await Promise.all(
    ['tcp', 'tcp6'].map((name) => readFile(`/proc/self/net/${name}`, 'latin1').catch(() => '')),
  )
  const queues = new Map<string, number>()
  for (const [, connection = '', bytes = ''] of tables.join('').matchAll(waiting))
    queues.set(connection, Number.parseInt(bytes, 16))
  return queues
}

/** `sl localAddress:port remoteAddress:port state tx_queue:rx_queue …` */
const waiting = /^ *\d+: [\dA-F]+:([\dA-F]+ [\dA-F]+:[\dA-F]+) \S\S (?!00000000)([\dA-F]{8}):/gm
