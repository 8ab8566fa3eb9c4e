import { request, type Agent, type IncomingMessage } from 'node:http'
import { bodyOf, headersOf } from './bodies.js'
import { readFault } from './promised.js'
import type { Call } from './orders.js'
import { emptyTally, type Tally } from './orders.js'

export type AskOptions = Readonly<{
  url: string
  address: string
  /** If false, the request uses a new connection. */
  agent: Agent | false
  signal: AbortSignal
}>

/** Sends one request and counts the result. Never rejects: resolves to the status, or to 0 without a response. */
export async function ask(call: Call, tallies: Tallies, options: AskOptions): Promise<number> {
  const { tally, pending } = tallies.of(call.label)
  const started = performance.now()
  tally.sent += 1
  pending.add(started)
  try {
    const { status, headers, body, length } = await answerOf(call, options)
    const ms = performance.now() - started
    tally.statuses[status] = (tally.statuses[status] ?? 0) + 1
    tally.bytes += length
    if (status === 200 || status === 204) {
      tally.times.push(ms)
      const lengths = (tally.lengths[call.path] ??= [])
      if (!lengths.includes(length)) lengths.push(length)
    } else if (status === 503) tally.refusalTimes.push(ms)
    const fault = readFault({ status, headers, length, body }, call)
    if (fault !== undefined) tallies.broke(call.label, fault)
    return status
  } catch (error) {
    // Requests aborted at the end of the attack are no failures.
    if (options.signal.reason === atTheEnd) return 0
    if (call.body !== undefined && isCutOff(error)) {
      tally.cutOff += 1
      return 0
    }
    tallies.broke(call.label, `no answer after ${ms(started)} ms: ${(error as Error).message}`)
    return 0
  } finally {
    if (options.signal.reason !== atTheEnd) pending.delete(started)
  }
}

export const atTheEnd = new Error('the attack is over')

/** Results by label, with the start times of requests that have no response yet. */
export type Tallies = Readonly<{
  of: (label: string) => Readonly<{ tally: Tally; pending: Set<number> }>
  broke: (label: string, fault: string) => void
  report: () => Readonly<Record<string, Tally>>
}>

const keptFaults = 3

export function createTallies(): Tallies {
  const byLabel = new Map<string, { tally: Tally; pending: Set<number> }>()
  const of = (label: string) => {
    const known = byLabel.get(label) ?? { tally: emptyTally(), pending: new Set<number>() }
    byLabel.set(label, known)
    return known
  }
  return {
    of,
    broke: (label, fault) => {
      const { tally } = of(label)
      tally.brokenCount += 1
      if (tally.broken.length < keptFaults) tally.broken.push(fault)
    },
    report: () =>
      Object.fromEntries(
        [...byLabel].map(([label, { tally, pending }]) => {
          const oldestMs = pending.size === 0 ? 0 : ms(Math.min(...pending))
          return [label, { ...tally, waiting: pending.size, oldestMs }]
        }),
      ),
  }
}

const ms = (since: number): number => Math.round(performance.now() - since)

type Taken = Readonly<{
  status: number
  headers: IncomingMessage['headers']
  length: number
  body: string
}>

/** Whether the service closed the connection, as it may while a client sends a body that is rejected. */
const isCutOff = (error: unknown): boolean =>
  ['ECONNRESET', 'EPIPE'].includes((error as NodeJS.ErrnoException).code ?? '')

function answerOf(call: Call, { url, address, agent, signal }: AskOptions): Promise<Taken> {
  const body = call.body === undefined ? undefined : bodyOf(call.body)
  const method = body === undefined ? 'GET' : 'POST'
  const options = { method, headers: headersOf(call), agent, localAddress: address, signal }
  return new Promise((resolve, reject) => {
    const sent = request(url + call.path, options, (response) => {
      // The response has begun, so errors of sending are ignored: a body can be rejected before it was sent completely.
      sent.off('error', reject).on('error', () => undefined)
      const head: Buffer[] = []
      let length = 0
      response.on('data', (chunk: Buffer) => {
        if (length < 2000) head.push(chunk)
        length += chunk.length
      })
      response.on('error', reject)
      response.on('close', () => {
        if (!response.complete) return reject(new Error(`the answer ended after ${length} bytes`))
        const { statusCode: status = 0, headers } = response
        resolve({ status, headers, length, body: Buffer.concat(head).toString() })
      })
    })
    sent.on('error', reject)
    sent.end(body)
  })
}
