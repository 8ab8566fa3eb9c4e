import type { ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { fail } from '../../../engine/errors.js'
import type { Settings } from '../../settings/settings.js'
import { monotonicNow } from '../../../engine/monotonic-now.js'
import { readSent, type Sent } from './send-queues.js'
import { whenClosed } from './when-closed.js'

/**
 * Responses up to this size are allowed as long as there is any capacity. A connection with less unread is not watched.
 */
const smallBytes = 65_536

/**
 * Share of the capacity that only small responses may take. Clients may turn out to have read less of the large ones
 * than was counted when those were sent.
 */
const shareOfSmall = 1 / 8

/** Most bytes that Linux buffers for one connection, by default (`net.ipv4.tcp_wmem`). */
const maxQueuedBytes = 4 * 1024 * 1024

/** Least time between two polls when capacity is short: in milliseconds, and as a multiple of a poll's duration. */
const shortPause = { ms: 50, factor: 2 }
/**
 * The same factor for polls by the timer. A poll takes longer the more connections the system has; this bounds its
 * share.
 */
const longPauseFactor = 10

/** Least rate at which a client must read a response, in bytes per second. No network is slower. */
const minReadRate = 1024

/**
 * Bounds the bytes of responses that have not reached their clients: those in memory, and on Linux those in the send
 * buffers of the system. A large response may take half of what is free for large ones. So the largest are rejected
 * first, and small ones fit beside many large ones. A client that reads less than `minReadRate` for `windowMs` is cut
 * off.
 */
export class OutputBuffers {
  readonly #max: number
  /** Least bytes that a client must read in a window. */
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
   * Polls what clients have read, if there seems to be no capacity for a response of so many bytes. Call `check`
   * afterwards: others may have used the capacity meanwhile.
   */
  update(bytes: number): Promise<void> | undefined {
    if (this.#fits(bytes) || this.#watched.size === 0) return undefined
    const pause = Math.max(shortPause.ms, shortPause.factor * this.#lastPoll.took)
    const isRecent = monotonicNow() - this.#lastPoll.at < pause
    return this.#polling === undefined && isRecent ? undefined : this.#poll()
  }

  /**
   * @throws ApiError 503 if there is no capacity for a response of so many bytes, by the last poll
   */
  check(bytes: number): void {
    if (this.#fits(bytes)) return
    const message = 'Too much waits to be read by its clients already (http.maxUnsentBytes)'
    throw fail('unavailable', message, {}, { 'Retry-After': '1' })
  }

  /** Counts the bytes of a response that is being created. Call the returned function when that is done. */
  reserve(bytes: number): () => void {
    this.#total += bytes
    return () => {
      this.#total -= bytes
    }
  }

  /** Counts the bytes of a response that has just been sent, until its client has read them or is gone. */
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

  /** Checks the rate at which a client reads a response that is streamed, and so is not in memory. */
  watch(response: ServerResponse): void {
    const { socket } = response
    if (socket !== null) this.#begin(this.#watch(socket), response, 0)
  }

  /** Returns the bytes that clients have not read, by the last poll. */
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
    // A closed socket would leave this process, and its client could keep the rest in the system's memory for as long
    // as it likes. So the end of the socket is delayed while it is watched.
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

  /** Holds a response until the system has accepted all of it. */
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
      // It was added after the poll began.
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
    // The first check only records: the receive buffer of any client, however slow, takes the first bytes.
    if (checked !== undefined) {
      if (now - checked.at < this.#windowMs) return
      if (connection.taken < Math.min(this.#minTaken, checked.left)) socket.resetAndDestroy()
    }
    connection.checked = { at: now, left }
    connection.taken = 0
  }
}

/** A connection that had a large response. */
class Connection {
  /** Number of responses that the system has not accepted completely, and their bytes in memory. */
  pending = 0
  held = 0
  /** Bytes of responses since it is watched, without those of files. */
  answered = 0
  /** Bytes that the client had acknowledged, and bytes that it had not read, by the last poll. */
  acknowledged = 0
  seen = 0
  /** Its share of the total. */
  counted = 0
  /** The last check of its rate, and the bytes that its client has read since. */
  checked: Readonly<{ at: number; left: number }> | undefined
  taken = 0
  #last: Sent | undefined
  /** Lets the socket close. */
  close?: () => void

  constructor(readonly socket: Socket) {}

  get left(): number {
    return this.socket.bytesWritten - this.acknowledged
  }

  /** Records a poll. */
  see(sent: Sent): void {
    const { taken, queued, isPending } = sent
    const last = this.#last ?? sent
    // It is unknown how much of a pending write the system has accepted. It accepts more only after the client has
    // read.
    const isTakenOver = last.isPending ? taken > last.taken || queued > last.queued : isPending
    this.taken += isTakenOver ? Infinity : taken - last.taken + last.queued - queued
    this.#last = sent
    this.acknowledged = Math.max(this.acknowledged, taken - queued)
    this.seen = Math.min(Math.max(0, this.left), this.answered)
  }

  /** The most bytes that the client may not have read yet. The system holds only a part of what is not in memory. */
  get unread(): number {
    const { held, left, answered, seen } = this
    return Math.max(held, Math.min(left, answered, Math.max(maxQueuedBytes, seen)))
  }
}
