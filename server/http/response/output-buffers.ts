import type { ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { fail } from '../../../engine/errors.js'
import type { Settings } from '../../settings/settings.js'
import { monotonicNow } from '../../../engine/monotonic-now.js'
import { readSent, type Sent } from './send-queues.js'
import { whenClosed } from './when-closed.js'

/**
 * Size in bytes up to which a response may use all capacity that is left, and up to which the unread bytes of a
 * connection are ignored.
 */
const smallBytes = 65_536

/**
 * Share of the capacity that only small responses may use. It also makes up for errors in the estimates of unread
 * bytes.
 */
const shareOfSmall = 1 / 8

/** Maximum number of bytes that Linux buffers for one connection with its default settings (`net.ipv4.tcp_wmem`). */
const maxQueuedBytes = 4 * 1024 * 1024

/**
 * Minimum pause before another poll when a response does not fit: `ms` milliseconds, or `factor` times the duration of
 * the last poll if that is longer.
 */
const shortPause = { ms: 50, factor: 2 }
/**
 * Minimum pause between regular polls, as a multiple of the last poll's duration, which grows with the number of
 * connections.
 */
const longPauseFactor = 10

/** Minimum rate at which a client must read, in bytes per second. Any real network is faster. */
const minReadRate = 1024

/**
 * Limits the bytes that clients have not read yet: those in memory and, on Linux, those in the system's send buffers. A
 * response larger than `smallBytes` may use at most half of what is left for such responses. Disconnects clients that
 * read more slowly than `minReadRate` for `windowMs`.
 */
export class OutputBuffers {
  readonly #max: number
  readonly #minTaken: number
  readonly #windowMs: number
  #total = 0
  readonly #connections = new WeakMap<Socket, Connection>()
  readonly #watched = new Set<Connection>()
  #timer: NodeJS.Timeout | undefined
  #polling: Promise<void> | undefined
  #lastPoll = { at: -Infinity, took: 0 }

  constructor(limits: Pick<Settings, 'http.maxUnsentBytes'>, windowMs = 10_000) {
    this.#max = limits['http.maxUnsentBytes']
    this.#minTaken = (minReadRate * windowMs) / 1000
    this.#windowMs = windowMs
  }

  /**
   * If a response does not seem to fit, polls how much clients have read in the meantime. Call `check` afterwards: the
   * response may still not fit.
   */
  update(bytes: number): Promise<void> | undefined {
    if (this.#fits(bytes) || this.#watched.size === 0) return undefined
    const pause = Math.max(shortPause.ms, shortPause.factor * this.#lastPoll.took)
    const isRecent = monotonicNow() - this.#lastPoll.at < pause
    return this.#polling === undefined && isRecent ? undefined : this.#poll()
  }

  /** Throws ApiError 503 if there is no capacity for a response of this size, as far as the last poll has shown. */
  check(bytes: number): void {
    if (this.#fits(bytes)) return
    const message =
      'Too much data of earlier responses is still waiting to be received by clients (http.maxUnsentBytes)'
    throw fail('unavailable', message, {}, { 'Retry-After': '1' })
  }

  /** Counts the bytes of a response while it is being created. Call the returned function when that has ended. */
  reserve(bytes: number): () => void {
    this.#total += bytes
    return () => {
      this.#total -= bytes
    }
  }

  /** Counts the bytes of a sent response until its client has read them or disconnects. */
  hold(response: ServerResponse, bytes: number): void {
    const { socket } = response
    if (socket === null) return
    const isPending = socket.writableLength > 0
    const known = this.#connections.get(socket)
    const left = socket.bytesWritten - (known?.acknowledged ?? 0)
    const isWatched = known !== undefined && this.#watched.has(known)
    if (!isWatched && !isPending && left <= smallBytes) return
    const connection = this.#watch(socket)
    connection.answered += bytes
    if (isPending) this.#begin(connection, response, bytes)
    this.#count(connection)
  }

  /**
   * Checks how fast a client reads a stream. The bytes of the stream are not counted, because only a few of them are in
   * memory.
   */
  watch(response: ServerResponse): void {
    const { socket } = response
    if (socket !== null) this.#begin(this.#watch(socket), response, 0)
  }

  bytes(): number {
    let bytes = this.#total
    for (const { counted, held, seen } of this.#watched) bytes += (held > 0 ? held : seen) - counted
    return bytes
  }

  #fits(bytes: number): boolean {
    const free = this.#max - this.#total
    return bytes <= (bytes <= smallBytes ? free : (free - this.#max * shareOfSmall) / 2)
  }

  #watch(socket: Socket): Connection {
    const connection = this.#connections.get(socket) ?? this.#add(socket)
    this.#watched.add(connection)
    this.#schedulePoll()
    return connection
  }

  #add(socket: Socket): Connection {
    const connection = new Connection(socket)
    this.#connections.set(socket, connection)
    socket.once('close', () => this.#forget(connection))
    // Without this, Node would close the socket once the system has accepted all data, and no longer notice a client
    // that does not read the data.
    socket._final = (done) =>
      Socket.prototype._final.call(socket, (error) => {
        if (error || !this.#watched.has(connection)) done(error)
        else connection.close = done
      })
    return connection
  }

  #forget(connection: Connection): void {
    this.#watched.delete(connection)
    this.#total -= connection.counted
    Object.assign(connection, { answered: 0, seen: 0, counted: 0, checked: undefined })
  }

  #begin(connection: Connection, response: ServerResponse, bytes: number): void {
    connection.pending += 1
    connection.held += bytes
    whenClosed(response, () => {
      connection.pending -= 1
      connection.held -= bytes
      this.#count(connection)
    })
  }

  #count(connection: Connection): void {
    if (!this.#watched.has(connection)) return
    const bytes = connection.unread
    this.#total += bytes - connection.counted
    connection.counted = bytes
  }

  #schedulePoll(): void {
    if (this.#watched.size === 0 || this.#timer !== undefined) return
    const ms = Math.max(this.#windowMs / 4, longPauseFactor * this.#lastPoll.took)
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      void this.#poll()
    }, ms).unref()
  }

  #poll(): Promise<void> {
    this.#polling ??= this.#pollNow().finally(() => {
      this.#polling = undefined
      this.#schedulePoll()
    })
    return this.#polling
  }

  async #pollNow(): Promise<void> {
    const start = monotonicNow()
    const sockets = [...this.#watched].map(({ socket }) => socket)
    const sent = await readSent(sockets)
    const now = monotonicNow()
    this.#lastPoll = { at: now, took: now - start }
    for (const connection of this.#watched) {
      const seen = sent.get(connection.socket)
      // This connection was added after the poll had started, so there is no measurement.
      if (seen === undefined) continue
      connection.see(seen)
      this.#count(connection)
      this.#checkRate(connection, now)
    }
  }

  #checkRate(connection: Connection, now: number): void {
    const { socket, checked, left } = connection
    if (left <= 0 && connection.pending === 0) {
      this.#forget(connection)
      connection.close?.()
      return
    }
    // The first check proves nothing, because the system of even a slow client accepts the first bytes.
    if (checked !== undefined) {
      if (now - checked.at < this.#windowMs) return
      if (connection.taken < Math.min(this.#minTaken, checked.left)) socket.resetAndDestroy()
    }
    connection.checked = { at: now, left }
    connection.taken = 0
  }
}

class Connection {
  /** Number of responses that the system has not accepted completely. `held` is the sum of their bytes. */
  pending = 0
  held = 0
  /** Bytes of all responses since this connection is watched, without stored files and streams. */
  answered = 0
  /**
   * Bytes that the client had acknowledged at the last poll. `seen` is the number of bytes that were still
   * unacknowledged then.
   */
  acknowledged = 0
  seen = 0
  /** Bytes of this connection that `#total` includes. */
  counted = 0
  /**
   * Time and number of unread bytes at the last check of the client's rate. `taken` is the number of bytes that the
   * client has read since then.
   */
  checked: Readonly<{ at: number; left: number }> | undefined
  taken = 0
  #last: Sent | undefined
  close?: () => void

  constructor(readonly socket: Socket) {}

  get left(): number {
    return this.socket.bytesWritten - this.acknowledged
  }

  see(sent: Sent): void {
    const { taken, queued, isPending } = sent
    const last = this.#last ?? sent
    // The system may have accepted only part of a pending write. It accepts more only after the client has read some
    // bytes.
    const isTakenOver = last.isPending ? taken > last.taken || queued > last.queued : isPending
    this.taken += isTakenOver ? Infinity : taken - last.taken + last.queued - queued
    this.#last = sent
    this.acknowledged = Math.max(this.acknowledged, taken - queued)
    this.seen = Math.min(Math.max(0, this.left), this.answered)
  }

  /**
   * Upper bound for the number of bytes that the client has not read. Bytes no longer in memory are in the system's
   * send buffer, whose size is limited.
   */
  get unread(): number {
    const { held, left, answered, seen } = this
    return Math.max(held, Math.min(left, answered, Math.max(maxQueuedBytes, seen)))
  }
}
