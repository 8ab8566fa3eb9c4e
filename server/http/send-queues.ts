import { readlinkSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { Socket } from 'node:net'

/**
 * Returns how many bytes the client of each socket has acknowledged. Linux keeps up to 4 MB of an answer for a client
 * that reads none of it (`net.ipv4.tcp_wmem`), and Node has no call for that. Other systems do not report it: there
 * all that the system has taken counts as acknowledged.
 */
export async function readAcknowledged(
  sockets: readonly Socket[],
): Promise<ReadonlyMap<Socket, number>> {
  // Counted before the tables are read, so that no byte counts as acknowledged too early.
  const sent = sockets.map((socket) => [socket, bytesSent(socket), inodeOf(socket)] as const)
  const queues = await readSendQueues()
  return new Map(
    sent.map(([socket, bytes, inode]) => [socket, bytes - (queues.get(inode ?? '') ?? 0)]),
  )
}

type Handle = Readonly<{ fd?: number; writeQueueSize?: number }>

const handleOf = (socket: Socket): Handle | null | undefined =>
  (socket as Socket & { _handle?: Handle | null })._handle

/** `bytesWritten` includes a write from its start, and an answer is one write. The handle knows how much is left. */
const bytesSent = (socket: Socket): number =>
  socket.bytesWritten - (handleOf(socket)?.writeQueueSize ?? socket.writableLength)

/** Sockets by their inode, undefined where the system has none (not Linux). */
const inodes = new WeakMap<Socket, string | undefined>()

function inodeOf(socket: Socket): string | undefined {
  if (!inodes.has(socket)) inodes.set(socket, findInode(handleOf(socket)?.fd))
  return inodes.get(socket)
}

function findInode(fd: number | undefined): string | undefined {
  try {
    return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/self/fd/${fd}`))?.[1]
  } catch {
    return undefined
  }
}

/** Returns the bytes in the send buffers of this network namespace by the inode of the socket, without empty ones. */
async function readSendQueues(): Promise<ReadonlyMap<string, number>> {
  const tables = await Promise.all(
    ['tcp', 'tcp6'].map((name) => readFile(`/proc/self/net/${name}`, 'latin1').catch(() => '')),
  )
  const queues = new Map<string, number>()
  for (const [, bytes = '', inode = ''] of tables.join('').matchAll(waiting))
    queues.set(inode, Number.parseInt(bytes, 16))
  return queues
}

/** `sl local remote state tx_queue:rx_queue timer retransmits uid timeout inode …` */
const waiting = /^ *\d+: \S+ \S+ \S\S (?!00000000)([\dA-F]{8}):\S+ \S+ \S+ +\d+ +\d+ (\d+) /gm
