import { setTimeout as sleep } from 'node:timers/promises'
import type { Request } from 'autocannon'
import autocannon from 'autocannon'
import type { Call } from './scenarios.js'
import type { Headers } from './start-server.js'

/** Connections of a load. */
export const connections = 16

/** What is sent over some connections. */
export type Sent = Readonly<{
  /** The nth request, counted over all connections. */
  call: (n: number) => Call
  connections?: number
  /** The statuses of right answers; default: every 2xx. A 503 is counted by itself. */
  accepts?: readonly number[]
}>

type Target = Readonly<{ server: Readonly<{ url: string }>; headers: Headers }>

/** How soon autocannon notices that it is to stop. */
const stopCheckMs = 20

/** Sends requests from the nth on, until it is stopped. */
export function startLoad({ server: { url }, headers }: Target, sent: Sent, from = 0) {
  const { call, accepts } = sent
  let n = from
  let latencies: number[] = []
  let refused = 0
  let began = performance.now()
  const failures: string[] = []
  const setupRequest = (request: Request): Request => {
    const { method, path, body } = call(n)
    n += 1
    const json = body === undefined ? {} : { 'Content-Type': 'application/json' }
    return { ...request, method, path, body, headers: { ...headers, ...json } }
  }
  const instance = autocannon(
    // Its own figures are of whole milliseconds; only its connections are used.
    {
      url,
      connections: sent.connections ?? connections,
      requests: [{ setupRequest }],
      duration: 3600,
      sampleInt: stopCheckMs,
    },
    () => undefined,
  )
  instance.on('response', (_client, status, _bytes, milliseconds) => {
    // A refusal is faster than an answer.
    if (status === 503) refused += 1
    else if (accepts?.includes(status) ?? (status >= 200 && status <= 299))
      latencies.push(milliseconds)
    else failures.push(`${status}`)
  })
  instance.on('reqError', (error: Error) => failures.push(error.message))
  return {
    /** Forgets what was measured so far. */
    begin: () => {
      latencies = []
      refused = 0
      began = performance.now()
    },
    answered: () => latencies.length,
    /** What was measured since `begin`. */
    end: () => ({
      perSecond: (latencies.length * 1000) / (performance.now() - began),
      latencies: latencies.toSorted((a, b) => a - b),
      refused,
    }),
    /** Throws where an answer was not one of those that are right. */
    stop: async () => {
      instance.stop()
      // It ends its connections with requests in flight; the server has to be done with them too.
      await sleep(stopCheckMs * 3)
      if (failures.length > 0)
        throw new Error(`${failures.length} requests failed, the first with ${failures[0]}`)
    },
  }
}
