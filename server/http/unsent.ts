import type { ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { fail } from '../../engine/errors.js'
import type { Settings } from '../settings/settings.js'
import { steadyNow } from '../../engine/steady-now.js'
import { inodeOf, readSendQueues } from './send-queues.js'
import { whenClosed } from './when-closed.js'

/** Answers that have not reached their clients: they wait in the process, or in the send buffers of the system. */
export type Unsent = Readonly<{
  /** Where there seems to be no room for an answer of so many bytes: finds out what clients have taken meanwhile. */
  update: (bytes: number) => Promise<void> | undefined
  /** Throws 503 where there is no room for an answer of so many bytes, as far as is known. */
  check: (bytes: number) => void
  /** Counts bytes of which an answer is being made, until what is returned is called. */
  reserve: (bytes: number) => () => void
  /** Counts the bytes of an answer until its client has them, or is gone. */
  hold: (response: ServerResponse, bytes: number) => void
  /** An answer that is read from a file: only the system holds some of it, and its client is not to take forever. */
  watch: (response: ServerResponse) => void
  /** As far as is known: what the clients have not taken of it when they were looked at last. */
  bytes: () => number
}>

export type UnsentOptions = Readonly<{
  /** `http.maxUnsentBytes` and `http.maxUnsentBytesPerConnection`. */
  max: number
  maxPerConnection: number
  /** `http.minReadRate`, in bytes a second; 0 = any. */
  minReadRate: number
  /** How long a client is watched before it is judged, in milliseconds. */
  windowMs?: number
}>

/** The bounds of the settings. */
export function unsentOptions(settings: Settings): UnsentOptions {
  return {
    max: settings['http.maxUnsentBytes'],
    maxPerConnection: settings['http.maxUnsentBytesPerConnection'],
    minReadRate: settings['http.minReadRate'],
  }
}

/** A connection whose client may have a large part of its answers still to read. */
type Reader = {
  readonly socket: Socket
  readonly inode: string | undefined
  /** Answers that the system has not taken over completely, and how many bytes of them are in memory. */
  answers: number
  held: number
  /** Bytes of answers, in memory or not, since it is watched; those of files are not among them. */
  answered: number
  /** Bytes that the client has acknowledged, as far as is known. */
  acknowledged: number
  /** Its part of the total: all that the client may have still to take. */
  counted: number
  /** Bytes that the client had not taken at the last look. */
  seen: number
  /** When it was judged last, and what was acknowledged and left by then; undefined before the first look. */
  judged: Readonly<{ at: number; acknowledged: number; left: number }> | undefined
  /** Lets its socket close: nothing is left to be sent. */
  close?: () => void
}

/** Answers up to this size are let through as long as there is any room, and so much of a connection is not watched. */
const smallBytes = 65_536

/** The most that Linux takes over for one connection, as it is delivered (`net.ipv4.tcp_wmem`). */
const mostQueued = 4 * 1024 * 1024

/** The least time between two looks where room is short, in milliseconds, and how many times as long as a look takes. */
const shortRest = { ms: 50, factor: 2 }
/** A look takes the longer the more connections the system has; this bounds what looking costs. */
const longRestFactor = 10

/**
 * Bounds what waits for its reader. A large answer may take half of the room that is left, so that the largest are
 * refused first, and small ones find room beside many large ones. A client that takes less than `minReadRate`
 * for `windowMs` is cut off. Where the system says what it holds for a client (Linux), that counts as well.
 */
export function createUnsent({
  max,
  maxPerConnection,
  minReadRate,
  windowMs = 10_000,
}: UnsentOptions): Unsent {
  let total = 0
  const readers = new Map<Socket, Reader>()
  /** Of connections that were watched before: bytes that their clients have acknowledged. */
  const known = new WeakMap<Socket, number>()
  let timer: NodeJS.Timeout | undefined
  let looking: Promise<void> | undefined
  let looked = { at: -Infinity, took: 0 }

  const isWatched = (reader: Reader): boolean => readers.get(reader.socket) === reader
  const count = (reader: Reader): void => {
    if (!isWatched(reader)) return
    const { held, answered, seen } = reader
    const bytes = Math.max(held, Math.min(leftOf(reader), answered, Math.max(mostQueued, seen)))
    total += bytes - reader.counted
    reader.counted = bytes
  }
  const forget = (reader: Reader): void => {
    total -= reader.counted
    readers.delete(reader.socket)
    known.set(reader.socket, reader.acknowledged)
  }
  const add = (socket: Socket): Reader => {
    const acknowledged = known.get(socket) ?? 0
    const reader: Reader = {
      ...{ socket, inode: inodeOf(socket), answers: 0, held: 0, answered: 0 },
      ...{ acknowledged, counted: 0, seen: 0, judged: undefined },
    }
    readers.set(socket, reader)
    if (!known.has(socket)) {
      known.set(socket, acknowledged)
      socket.once('close', () => {
        const current = readers.get(socket)
        if (current !== undefined) forget(current)
      })
      keepUntilTaken(socket, () => readers.get(socket))
    }
    lookLater()
    return reader
  }
  /** Until the system has taken over all of an answer, which is in memory as a whole. */
  const begin = (reader: Reader, response: ServerResponse, bytes: number): void => {
    reader.answers += 1
    reader.held += bytes
    whenClosed(response, () => {
      reader.answers -= 1
      reader.held -= bytes
      count(reader)
    })
  }
  const judge = (reader: Reader, now: number): void => {
    const { socket, judged, acknowledged } = reader
    const left = leftOf(reader)
    if (left <= 0 && reader.answers === 0) {
      forget(reader)
      reader.close?.()
    } else if (judged === undefined) {
      // The receive buffer of the client's system takes the first bytes, however slow the client is.
      reader.judged = { at: now, acknowledged, left }
    } else if (now - judged.at >= windowMs) {
      const taken = acknowledged - judged.acknowledged
      if (taken < Math.min((minReadRate * windowMs) / 1000, judged.left)) socket.resetAndDestroy()
      // Node closes a connection on which it sends nothing, and does not see that the system still does.
      else if (taken > 0) socket.setTimeout(socket.timeout ?? 0)
      reader.judged = { at: now, acknowledged, left }
    }
  }
  const lookNow = async (): Promise<void> => {
    const began = steadyNow()
    const before = [...readers.values()].map((reader) => {
      const { socket } = reader
      return { reader, written: socket.bytesWritten, sent: sentBy(socket) }
    })
    const queues = await readSendQueues()
    const now = steadyNow()
    looked = { at: now, took: now - began }
    for (const { reader, written, sent } of before) {
      if (!isWatched(reader)) continue
      const queued = (reader.inode === undefined ? undefined : queues.get(reader.inode)) ?? 0
      reader.acknowledged = Math.max(reader.acknowledged, sent - queued)
      reader.seen = Math.min(Math.max(0, written - reader.acknowledged), reader.answered)
      count(reader)
      judge(reader, now)
    }
  }
  const look = (): Promise<void> =>
    (looking ??= lookNow().finally(() => {
      looking = undefined
      lookLater()
    }))
  const lookLater = (): void => {
    if (readers.size === 0) return
    timer ??= setTimeout(
      () => {
        timer = undefined
        void look()
      },
      Math.max(windowMs / 4, longRestFactor * looked.took),
    ).unref()
  }
  const fits = (bytes: number): boolean =>
    bytes <= smallBytes
      ? total + bytes <= max
      : bytes <= maxPerConnection && bytes <= (max - total) / (total === 0 ? 1 : 2)
  /** Whether clients may have taken more than is known. */
  const mayLook = (): boolean =>
    readers.size > 0 &&
    (looking !== undefined ||
      steadyNow() - looked.at >= Math.max(shortRest.ms, shortRest.factor * looked.took))
  return {
    update: (bytes) => (fits(bytes) || !mayLook() ? undefined : look()),
    check: (bytes) => {
      if (!fits(bytes)) throw tooMuch()
    },
    reserve: (bytes) => {
      total += bytes
      return () => {
        total -= bytes
      }
    },
    hold: (response, bytes) => {
      const { socket } = response
      if (socket === null) return
      const isPending = socket.writableLength > 0
      let reader = readers.get(socket)
      if (reader === undefined) {
        if (!isPending && socket.bytesWritten - (known.get(socket) ?? 0) <= smallBytes) return
        reader = add(socket)
      }
      reader.answered += bytes
      if (isPending) begin(reader, response, bytes)
      count(reader)
    },
    watch: (response) => {
      const { socket } = response
      if (socket !== null) begin(readers.get(socket) ?? add(socket), response, 0)
    },
    bytes: () => {
      let bytes = total
      for (const { counted, held, seen } of readers.values())
        bytes += (held > 0 ? held : seen) - counted
      return bytes
    },
  }
}

function tooMuch(): Error {
  const message = 'Too much waits to be read by its clients already (http.maxUnsentBytes)'
  return fail('unavailable', { message }, {}, { 'Retry-After': '1' })
}

/**
 * Puts off the end of a socket as long as it is watched. Closed, it would leave this process, and its client could
 * keep the rest in the system's memory for as long as it likes.
 */
function keepUntilTaken(socket: Socket, current: () => Reader | undefined): void {
  socket._final = (done) =>
    Socket.prototype._final.call(socket, (error) => {
      const reader = current()
      if (error || reader === undefined) done(error)
      else reader.close = done
    })
}

/** Bytes that the client of a connection has not acknowledged, as far as is known. */
const leftOf = ({ socket, acknowledged }: Reader): number => socket.bytesWritten - acknowledged

/**
 * What a socket has handed to the system in all. Node counts a write when it begins, and an answer is one write: how
 * much of it is left only the handle tells.
 */
function sentBy(socket: Socket): number {
  const { _handle: handle } = socket as Socket & {
    _handle?: Readonly<{ writeQueueSize?: number }> | null
  }
  return socket.bytesWritten - (handle?.writeQueueSize ?? socket.writableLength)
}
