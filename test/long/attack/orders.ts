import type { Body } from './bodies.js'

/** The first message to a process of the attack. */
export type Order = FloodOrder | SlowOrder | TrickleOrder | ReadOrder | BurnOrder

/** Connections that send one request after the other, each as soon as the previous response arrives. */
export type FloodOrder = Source & Readonly<{ kind: 'flood'; connections: number; pauseMs: number }>

/** Connections that request a large response and hardly read it. */
export type SlowOrder = Source &
  Readonly<{ kind: 'slow'; connections: number; bytes: number; everyMs: number }>

/** Connections that send the start of a body at once, then a few bytes each second, but never the last byte. */
export type TrickleOrder = Source &
  Readonly<{ kind: 'trickle'; connections: number; bytesAtOnce: number; bytesPerSecond: number }>

/** One request every `everyMs` milliseconds, each on a new connection, whether or not earlier ones have a response. */
export type ReadOrder = Source & Readonly<{ kind: 'read'; everyMs: number; timeoutMs: number }>

/** A busy loop. It shows what another process on the machine costs the service. */
type BurnOrder = Readonly<{ kind: 'burn' }>

type Source = Readonly<{
  url: string
  /** The loopback address that requests come from. */
  address: string
  /** Sent in turn. */
  calls: readonly Call[]
}>

export type Call = Readonly<{
  /** Responses are counted under this label. */
  label: string
  path: string
  /**
   * `always`: any 400. `by a bound`: a 400 that names the exceeded limit, if the call is too expensive. A list: the
   * allowed statuses, besides a 503 with `Retry-After`.
   */
  refused: 'always' | 'never' | 'by a bound' | readonly number[]
  /** Makes the call a POST; otherwise it is a GET. */
  body?: Body
  /** An API token. */
  token?: string
}>

/** The results of the requests of one label. */
export type Tally = {
  sent: number
  /** Number of complete responses by status. */
  statuses: Record<string, number>
  /** Descriptions of the first wrong responses and of the first requests without a response. */
  broken: string[]
  brokenCount: number
  /** Bytes of response bodies. */
  bytes: number
  /** Distinct lengths of responses with 200, by path. All complete responses of a path have the same length. */
  lengths: Record<string, number[]>
  /** Milliseconds from the request to the last byte, for responses with 200. */
  times: number[]
  /** The same for responses with 503. */
  refusalTimes: number[]
  /** Connections that the service closed before the response was read or the body sent, as it may for slow clients. */
  cutOff: number
  /** Requests that were still waiting at the end, and the age of the oldest in ms. */
  waiting: number
  oldestMs: number
}

export type Report = Readonly<Record<string, Tally>>

export const emptyTally = (): Tally => ({
  ...{ sent: 0, statuses: {}, broken: [], brokenCount: 0, bytes: 0, lengths: {}, times: [] },
  ...{ refusalTimes: [], cutOff: 0, waiting: 0, oldestMs: 0 },
})
