import { setTimeout as sleep } from 'node:timers/promises'
import type { Request } from 'autocannon'
import autocannon from 'autocannon'
import type { Call, Server } from '../start-server.js'

export const connections = 16

/** The requests of a load. */
export type Sent = Readonly<{
  /** Returns the nth request, counted over all connections. */
  call: (n: number) => Call
  connections?: number
  /** Requests per second. Default: unlimited. */
  rate?: number
  /** Status of a correct response. Default: any 2xx. A 503 is counted separately. */
  accepts?: number
}>

/** Interval at which autocannon checks whether to stop. */
const stopCheckMs = 20

/** Sends requests until `stop` is called, starting with request number `from`. */
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
    // Latencies are taken from the `response` events, because autocannon rounds those in its result to milliseconds.
    {
      ...{ url, connections: count, requests: [{ setupRequest }] },
      ...{ duration: 3600, sampleInt: stopCheckMs },
      ...(rate && { overallRate: rate }),
    },
    () => undefined,
  )
  instance.on('response', (_client, status, _bytes, milliseconds) => {
    // Do not count the latency of a 503, because rejecting a request takes less time than answering it.
    if (status === 503) measured.refused += 1
    else if (accepts === undefined ? status >= 200 && status <= 299 : status === accepts)
      measured.latencies.push(milliseconds)
    else failures.push(`${status}`)
  })
  instance.on('reqError', (error: Error) => failures.push(error.message))
  return {
    answered: () => measured.latencies.length,
    waitFor: async (answers: number, withinMs: number) => {
      const until = performance.now() + withinMs
      while (measured.latencies.length < answers && performance.now() < until) await sleep(20)
    },
    /** Returns the measurements since the previous call. */
    take: () => {
      const { began, ...taken } = measured
      measured = start()
      const seconds = (measured.began - began) / 1000
      return { ...taken, perSecond: taken.latencies.length / seconds }
    },
    /** Stops the load. Throws if a response was incorrect. */
    stop: async () => {
      instance.stop()
      // autocannon closes its connections while requests are in flight. Give the server time to finish them.
      await sleep(stopCheckMs * 3)
      if (failures.length > 0)
        throw new Error(`${failures.length} requests failed, the first with ${failures[0]}`)
    },
  }
}
