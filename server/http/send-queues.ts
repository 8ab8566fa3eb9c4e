import { readlinkSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { Socket } from 'node:net'

/** Identifies a socket of this process in the tables of the system; undefined where the system has none (not Linux). */
export function inodeOf(socket: Socket): string | undefined {
  const { _handle: handle } = socket as Socket & { _handle?: Readonly<{ fd?: number }> | null }
  try {
    return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/self/fd/${handle?.fd}`))?.[1]
  } catch {
    return undefined
  }
}

/**
 * Returns how many bytes the system keeps for clients that have not acknowledged them, by the inode of the socket;
 * sockets without any are left out. Node has no call for it, and the system takes up to 4 MB of an answer
 * (`net.ipv4.tcp_wmem`) for a client that reads none of it.
 */
export async function readSendQueues(): Promise<ReadonlyMap<string, number>> {
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
