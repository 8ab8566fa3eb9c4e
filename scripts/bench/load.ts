import { setTimeout as sleep } from 'node:timers/promises'
import type { Request } from 'autocannon'
import autocannon from 'autocannon'
import type { Call, Server } from '../start-server.js'

/** Connections of a load. */
export const connections = 16

/** What is sent over some connections. */
export type Sent = Readonly<{
  /** The nth request, counted over all connections. */
  call: (n: number) => Call
  connections?: number
  /** Requests a second; default: as many as are answered. */
  rate?: number
  /** The status of right answers; default: every 2xx. A 503 is counted by itself. */
  accepts?: number
}>

/** How soon autocannon notices that it is to stop. */
const stopCheckMs = 20

/** Sends requests from the nth on, until it is stopped. */
export function startLoad(
  { url, headers }: Pick<Server, 'url' | 'headers'>,
  { call, accepts, rate, connections: count = connections }: Sent,
  from = 0,
) {
  let n = from
  const start = () => ({ began: performance.now(), latencies: Array<number>(), refused: 0 })
  let measured = start()
  const failures: string[] = []
  const setupRequest = (request: Request): Request => {
    const { method, path, body } = call(n) as Request
    n += 1
    const json = body === undefined ? {} : { 'Content-Type': 'application/json' }
    return { ...request, method, path, body, headers: { ...headers, ...json } }
  }
  const instance = autocannon(
    // Its own figures are of whole milliseconds; only its connections are used.
    {
      ...{ url, connections: count, requests: [{ setupRequest }] },
      ...{ duration: 3600, sampleInt: stopCheckMs },
      ...(rate && { overallRate: rate }),
    },
    () => undefined,
  )
  instance.on('response', (_client, status, _bytes, milliseconds) => {
    // A refusal is faster than an answer.
    if (status === 503) measured.refused += 1
    else if (accepts === undefined ? status >= 200 && status <= 299 : status === accepts)
      measured.latencies.push(milliseconds)
    else failures.push(`${status}`)
  })
  instance.on('reqError', (error: Error) => failures.push(error.message))
  return {
    answered: () => measured.latencies.length,
    /** Waits for so many answers, or for that long. */
    waitFor: async (answers: number, withinMs: number) => {
      const until = performance.now() + withinMs
      while (measured.latencies.length < answers && performance.now() < until) await sleep(20)
    },
    /** Returns what was measured since the last call. */
    take: () => {
      const { began, ...taken } = measured
      measured = start()
      const seconds = (measured.began - began) / 1000
      return { ...taken, perSecond: taken.latencies.length / seconds }
    },
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
