import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Tallies } from './ask.js'
import type { Call, SlowOrder } from './orders.js'
import { readFault } from './promised.js'

/** Reads responses slowly, on several connections. Replaces connections that the service has closed. */
export async function readSlowly(
  order: SlowOrder,
  tallies: Tallies,
  signal: AbortSignal,
): Promise<void> {
  await onConnections(order, signal, (call) => readOnce(order, call, tallies, signal))
}

/** Calls `once` repeatedly for each connection, each time with the next call of the list. Waits a second after each. */
export async function onConnections(
  { connections, calls }: Readonly<{ connections: number; calls: readonly Call[] }>,
  signal: AbortSignal,
  once: (call: Call) => Promise<void>,
): Promise<void> {
  await Promise.all(
    Array.from({ length: connections }, async (_, connection) => {
      for (let turn = connection; !signal.aborted; turn += 1) {
        await once(calls[turn % calls.length] as Call)
        await sleep(1000, undefined, { signal }).catch(() => undefined)
      }
    }),
  )
}

function readOnce(
  { url, address, bytes, everyMs }: SlowOrder,
  call: Call,
  tallies: Tallies,
  signal: AbortSignal,
): Promise<void> {
  const { hostname, port } = new URL(url)
  const { tally } = tallies.of(call.label)
  tally.sent += 1
  return new Promise((resolve) => {
    let head: string | undefined
    // Reads at most one buffer at a time: returning `false` pauses the socket.
    const onread = {
      buffer: Buffer.alloc(bytes),
      callback: (length: number, buffer: Uint8Array) => {
        tally.bytes += length
        if (head === undefined) {
          head = Buffer.from(buffer.subarray(0, length)).toString('latin1')
          const status = countHead(head, call, tallies)
          // Any response without status 200 is short, so it was read completely.
          if (status !== 200) socket.destroy()
        }
        return false
      },
    }
    const socket = connect({
      ...{ host: hostname, port: Number(port), localAddress: address },
      onread,
    })
    socket.write(`GET ${call.path} HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`)
    const timer = setInterval(() => socket.resume(), everyMs)
    const onEnd = () => socket.destroy()
    signal.addEventListener('abort', onEnd, { once: true })
    let isReset = false
    socket.on('error', () => (isReset = true))
    socket.on('close', () => {
      clearInterval(timer)
      signal.removeEventListener('abort', onEnd)
      if (!signal.aborted && head === undefined) tallies.broke(call.label, 'no answer')
      if (isReset || (head?.startsWith('HTTP/1.1 200') === true && !signal.aborted))
        tally.cutOff += 1
      resolve()
    })
  })
}

/** Counts a response whose first bytes have arrived, and returns its status. */
export function countHead(text: string, call: Call, tallies: Tallies): number {
  const { tally } = tallies.of(call.label)
  const [head = '', body = ''] = text.split('\r\n\r\n', 2)
  const status = Number(head.split(' ')[1])
  tally.statuses[status] = (tally.statuses[status] ?? 0) + 1
  const retryAfter = /^retry-after: (.*)$/im.exec(head)?.[1]
  const headers = retryAfter === undefined ? {} : { 'retry-after': retryAfter }
  const fault = readFault({ status, headers, length: body.length, body }, call)
  if (fault !== undefined) tallies.broke(call.label, fault)
  return status
}
