import type { Body } from './bodies.js'

/** What a process of the attack is told by its first message. */
export type Order = FloodOrder | SlowOrder | TrickleOrder | ReadOrder | BurnOrder

/** So many connections that ask, one request after the other on each, as fast as they are answered. */
export type FloodOrder = Source & Readonly<{ kind: 'flood'; connections: number; pauseMs: number }>

/** So many connections that ask for a large answer and hardly take it. */
export type SlowOrder = Source &
  Readonly<{ kind: 'slow'; connections: number; bytes: number; everyMs: number }>

/** Connections that send the start of a body at once, then a little each second, and never its last byte. */
export type TrickleOrder = Source &
  Readonly<{ kind: 'trickle'; connections: number; bytesAtOnce: number; bytesPerSecond: number }>

/** One request every so many milliseconds, each on a connection of its own, whether or not the others are answered. */
export type ReadOrder = Source & Readonly<{ kind: 'read'; everyMs: number; timeoutMs: number }>

/** A busy loop: what a neighbour that has nothing to do with the service costs it. */
type BurnOrder = Readonly<{ kind: 'burn' }>

type Source = Readonly<{
  url: string
  /** The loopback address that requests come from. */
  address: string
  /** Asked in turn. */
  calls: readonly Call[]
}>

export type Call = Readonly<{
  /** Under which its answers are counted. */
  label: string
  path: string
  /**
   * `always`: any 400. `by a bound`: 400 if it costs too much, with the name of the bound. A list: the statuses that are
   * promised, besides a 503 with `Retry-After`.
   */
  refused: 'always' | 'never' | 'by a bound' | readonly number[]
  /** Makes the call a POST; otherwise it is a GET. */
  body?: Body
  /** An API token. */
  token?: string
}>

/** What became of the requests of one label. */
export type Tally = {
  sent: number
  /** Whole answers by their status. */
  statuses: Record<string, number>
  /** Answers that nobody was promised, and requests that got none: the first of them, in words. */
  broken: string[]
  brokenCount: number
  /** Of bodies. */
  bytes: number
  /** The different lengths of answers with 200, by path: every whole answer of one has the same. */
  lengths: Record<string, number[]>
  /** Milliseconds from the request to the last byte, of answers with 200. */
  times: number[]
  /** The same of refusals with 503. */
  refusalTimes: number[]
  /** Connections that the service closed before the answer was read or the body sent. Slow clients are promised that. */
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
