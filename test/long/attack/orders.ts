import type { Body } from './bodies.js'

/** The first message to an attacking process. */
export type Order = FloodOrder | SlowOrder | TrickleOrder | ReadOrder | BurnOrder

/** Sends requests on several connections, each as soon as the previous response has arrived. */
export type FloodOrder = Source & Readonly<{ kind: 'flood'; connections: number; pauseMs: number }>

/** Requests large responses on several connections, and reads them very slowly. */
export type SlowOrder = Source &
  Readonly<{ kind: 'slow'; connections: number; bytes: number; everyMs: number }>

/** Sends the beginning of bodies at once, then a few bytes per second, but never the last byte. */
export type TrickleOrder = Source &
  Readonly<{ kind: 'trickle'; connections: number; bytesAtOnce: number; bytesPerSecond: number }>

/** Sends requests at a steady pace, each on a new connection, without waiting for responses. */
export type ReadOrder = Source & Readonly<{ kind: 'read'; everyMs: number; timeoutMs: number }>

/** Keeps a CPU busy, to show how much any other busy process on the machine slows the service down. */
type BurnOrder = Readonly<{ kind: 'burn' }>

type Source = Readonly<{
  url: string
  /** The loopback address from which the requests are sent. */
  address: string
  /** Requests that are sent in this order, and then again from the first one. */
  calls: readonly Call[]
}>

export type Call = Readonly<{
  label: string
  path: string
  /**
   * Allowed responses, besides a 503 with `Retry-After`:
   * - `never`: only a success (200 or 204).
   * - `always`: only a 400.
   * - `by a bound`: a success, or a 400 that names the exceeded limit.
   * - A list: only these statuses.
   */
  refused: 'always' | 'never' | 'by a bound' | readonly number[]
  /** If set, the call is a POST with this body. */
  body?: Body
  token?: string
}>

/** The results of all requests with the same label. */
export type Tally = {
  sent: number
  statuses: Record<string, number>
  /** Descriptions of the first wrong or missing responses. */
  broken: string[]
  brokenCount: number
  /** Total bytes of all response bodies. */
  bytes: number
  /** Distinct lengths of successful responses by path. If a path has several, some responses were incomplete. */
  lengths: Record<string, number[]>
  /** Milliseconds to the last byte of each response with status 200 or 204. */
  times: number[]
  /** Milliseconds to the last byte of each 503. */
  refusalTimes: number[]
  /** Connections that the service closed early, as it may do to slow clients. */
  cutOff: number
  /** Requests without a response at the end of the attack; `oldestMs` is the age of the oldest one. */
  waiting: number
  oldestMs: number
}

export type Report = Readonly<Record<string, Tally>>

export const emptyTally = (): Tally => ({
  ...{ sent: 0, statuses: {}, broken: [], brokenCount: 0, bytes: 0, lengths: {}, times: [] },
  ...{ refusalTimes: [], cutOff: 0, waiting: 0, oldestMs: 0 },
})
