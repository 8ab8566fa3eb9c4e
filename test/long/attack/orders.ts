import type { Body } from './bodies.js'

/** The first message to an attacking process, which tells it what to do. */
export type Order = FloodOrder | SlowOrder | TrickleOrder | ReadOrder | BurnOrder

/**
 * Orders a process to open connections and to send requests on them. Each request follows as soon as the previous
 * response has arrived.
 */
export type FloodOrder = Source & Readonly<{ kind: 'flood'; connections: number; pauseMs: number }>

/** Orders a process to request large responses on several connections, and to read them very slowly. */
export type SlowOrder = Source &
  Readonly<{ kind: 'slow'; connections: number; bytes: number; everyMs: number }>

/**
 * Orders a process to send bodies on several connections: the beginning at once, then a few bytes per second, but never
 * the last byte.
 */
export type TrickleOrder = Source &
  Readonly<{ kind: 'trickle'; connections: number; bytesAtOnce: number; bytesPerSecond: number }>

/**
 * Orders a process to send a request every `everyMs` milliseconds, each on a new connection, even if earlier requests
 * have no response yet.
 */
export type ReadOrder = Source & Readonly<{ kind: 'read'; everyMs: number; timeoutMs: number }>

/** Orders a process to run a busy loop. This shows how much any other busy process on the machine slows the service. */
type BurnOrder = Readonly<{ kind: 'burn' }>

type Source = Readonly<{
  url: string
  /** The loopback address that requests come from. */
  address: string
  /** The requests to send, repeated in this order. */
  calls: readonly Call[]
}>

export type Call = Readonly<{
  /** The label under which responses to this call are counted. */
  label: string
  path: string
  /**
   * Which responses are allowed, besides a 503 with `Retry-After`:
   * - `never`: only a success (200 or 204).
   * - `always`: only a 400.
   * - `by a bound`: a success, or a 400 that names the exceeded limit.
   * - A list: only these statuses.
   */
  refused: 'always' | 'never' | 'by a bound' | readonly number[]
  /** If present, the call is a POST with this body. Otherwise it is a GET. */
  body?: Body
  /** An API token. */
  token?: string
}>

/** The results of all requests with the same label. */
export type Tally = {
  sent: number
  /** Number of complete responses by status. */
  statuses: Record<string, number>
  /** Descriptions of the first failures: wrong responses, and requests without a response. */
  broken: string[]
  brokenCount: number
  /** Total bytes of response bodies. */
  bytes: number
  /**
   * By path: the distinct lengths of successful responses. If a path has several lengths, responses were incomplete.
   */
  lengths: Record<string, number[]>
  /** Milliseconds from the request to the last byte of the response, for each response with status 200 or 204. */
  times: number[]
  /** Milliseconds from the request to the last byte of the response, for each response with status 503. */
  refusalTimes: number[]
  /**
   * Number of connections that the service closed before the response was read or the body was sent. The service may do
   * this to slow clients.
   */
  cutOff: number
  /**
   * Number of requests without a response at the end of the attack. `oldestMs` is the age of the oldest of them in ms.
   */
  waiting: number
  oldestMs: number
}

export type Report = Readonly<Record<string, Tally>>

export const emptyTally = (): Tally => ({
  ...{ sent: 0, statuses: {}, broken: [], brokenCount: 0, bytes: 0, lengths: {}, times: [] },
  ...{ refusalTimes: [], cutOff: 0, waiting: 0, oldestMs: 0 },
})
