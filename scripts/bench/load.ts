import { setTimeout as sleep } from 'node:timers/promises'
import type { Instance, Request } from 'autocannon'
import autocannon from 'autocannon'
import type { Call } from './scenarios.js'

/** Requests that are sent over some connections until it is stopped. */
export type Load = Readonly<{
  /** Forgets what was measured so far. */
  begin: () => void
  /** Answers since `begin`. */
  answered: () => number
  /** What was measured since `begin`. */
  end: () => LoadReport
  /** Throws where an answer was not one of those that are right. */
  stop: () => Promise<void>
}>

export type LoadReport = Readonly<{
  requests: number
  seconds: number
  /** Of every answer, in milliseconds, ascending. */
  latencies: Float64Array
}>

export type LoadOptions = Readonly<{
  url: string
  connections: number
  headers: Readonly<Record<string, string>>
  /** The nth request, counted over all connections. */
  call: (n: number) => Call
  /** The first n. */
  from: number
  /** The statuses of answers that are right; default: every 2xx. */
  accepts?: readonly number[]
}>

/** How soon autocannon notices that it is to stop. */
const stopCheckMs = 20

export function startLoad({ url, connections, headers, call, from, accepts }: LoadOptions): Load {
  let n = from
  let latencies: number[] = []
  let began = performance.now()
  const failures: string[] = []
  const setupRequest = (request: Request): Request => {
    const { method, path, body } = call(n)
    n += 1
    const json = body === undefined ? {} : { 'Content-Type': 'application/json' }
    return { ...request, method, path, body, headers: { ...headers, ...json } }
  }
  const instance: Instance = autocannon(
    // Its own figures are of whole milliseconds; only its connections are used.
    { url, connections, duration: 3600, sampleInt: stopCheckMs, requests: [{ setupRequest }] },
    () => undefined,
  )
  instance.on('response', (_client, status, _bytes, milliseconds) => {
    latencies.push(milliseconds)
    if (!(accepts?.includes(status) ?? (status >= 200 && status <= 299))) failures.push(`${status}`)
  })
  instance.on('reqError', (error: Error) => failures.push(error.message))
  return {
    begin: () => {
      latencies = []
      began = performance.now()
    },
    answered: () => latencies.length,
    end: () => ({
      requests: latencies.length,
      seconds: (performance.now() - began) / 1000,
      latencies: Float64Array.from(latencies).sort(),
    }),
    stop: async () => {
      instance.stop()
      // It ends its connections with requests in flight; the server has to be done with them too.
      await sleep(stopCheckMs * 3)
      if (failures.length > 0) {
        throw new Error(`${failures.length} requests failed, the first with ${failures[0]}`)
      }
    },
  }
}
