import { connect } from 'node:net'
import { bodyOf, headersOf } from './bodies.js'
import type { Tallies } from './ask.js'
import type { Call, TrickleOrder } from './orders.js'
import { countHead, onConnections } from './slow-readers.js'

/** Sends bodies that never end, on several connections. Replaces connections that the service has closed. */
export async function sendSlowly(
  order: TrickleOrder,
  tallies: Tallies,
  signal: AbortSignal,
): Promise<void> {
  await onConnections(order, signal, (call) => sendOnce(order, call, tallies, signal))
}

function sendOnce(
  { url, address, bytesAtOnce, bytesPerSecond }: TrickleOrder,
  call: Call,
  tallies: Tallies,
  signal: AbortSignal,
): Promise<void> {
  const { hostname, port } = new URL(url)
  const { tally, pending } = tallies.of(call.label)
  const started = performance.now()
  tally.sent += 1
  pending.add(started)
  // Without the last byte, the body never ends.
  const body = call.body === undefined ? Buffer.alloc(0) : bodyOf(call.body).subarray(0, -1)
  return new Promise((resolve) => {
    let isAnswered = false
    let sent = 0
    const socket = connect({ host: hostname, port: Number(port), localAddress: address })
    const send = (bytes: number): void => {
      if (socket.writable) socket.write(body.subarray(sent, sent + bytes))
      sent += bytes
    }
    const headers = Object.entries({ Host: hostname, ...headersOf(call) })
    const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`)
    socket.write(`POST ${call.path} HTTP/1.1\r\n${lines.join('')}\r\n`)
    send(bytesAtOnce)
    const timer = setInterval(() => send(bytesPerSecond), 1000)
    const onEnd = () => socket.destroy()
    signal.addEventListener('abort', onEnd, { once: true })
    socket.once('data', (chunk) => {
      isAnswered = true
      countHead(chunk.toString('latin1'), call, tallies)
      socket.destroy()
    })
    socket.on('error', () => undefined)
    socket.on('close', () => {
      clearInterval(timer)
      signal.removeEventListener('abort', onEnd)
      if (!signal.aborted || isAnswered) pending.delete(started)
      if (!signal.aborted && !isAnswered) tally.cutOff += 1
      resolve()
    })
  })
}
