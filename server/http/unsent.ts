import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { fail } from '../../engine/errors.js'
import type { Settings } from '../settings/settings.js'
import { steadyNow } from '../../engine/steady-now.js'
import { whenClosed } from './when-closed.js'

/** What was answered and has not left the process: its clients have not taken it yet. */
export type Unsent = Readonly<{
  /** Throws 503 where there is no room for an answer of so many bytes. */
  check: (bytes: number) => void
  /** Counts bytes of which an answer is being made, until what is returned is called. */
  reserve: (bytes: number) => () => void
  /** Counts the bytes of an answer until they are sent, or its client is gone. */
  hold: (response: ServerResponse, bytes: number) => void
  /** An answer that is read from a file: nothing of it is held, but its client is not to take forever. */
  watch: (response: ServerResponse) => void
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

type Reader = { socket: Socket; since: number; sent: number; pending: number }

/** Answers up to this size are let through as long as there is any room. */
const smallBytes = 65_536

/**
 * Bounds what waits for its reader. A large answer may take half of the room that is left, so that the largest are
 * refused first, and small ones find room beside many large ones. Who takes less than `minReadRate`
 * for `windowMs` is cut off. What the system has taken over for sending is not counted: it bounds that itself.
 */
export function createUnsent({
  max,
  maxPerConnection,
  minReadRate,
  windowMs = 10_000,
}: UnsentOptions): Unsent {
  let total = 0
  const readers = new Map<ServerResponse, Reader>()
  let sweep: NodeJS.Timeout | undefined
  const look = (): void => {
    const now = steadyNow()
    for (const reader of readers.values()) cutOffSlow(reader, now, minReadRate, windowMs)
  }
  const add = (response: ServerResponse, held: number): void => {
    const { socket } = response
    if (socket === null) return
    total += held
    readers.set(response, { socket, since: steadyNow(), ...progressOf(socket) })
    whenClosed(response, () => {
      total -= held
      readers.delete(response)
      if (readers.size > 0) return
      clearInterval(sweep)
      sweep = undefined
    })
    if (minReadRate > 0) sweep ??= setInterval(look, windowMs / 10).unref()
  }
  const fits = (bytes: number): boolean =>
    bytes <= smallBytes
      ? total + bytes <= max
      : bytes <= maxPerConnection && bytes <= (max - total) / (total === 0 ? 1 : 2)
  return {
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
      // Most answers are with the system before this.
      if (response.socket !== null && response.socket.writableLength > 0) add(response, bytes)
    },
    watch: (response) => add(response, 0),
    bytes: () => total,
  }
}

function tooMuch(): Error {
  const message = 'Too much waits to be read by its clients already (http.maxUnsentBytes)'
  return fail('unavailable', { message }, {}, { 'Retry-After': '1' })
}

function cutOffSlow(reader: Reader, now: number, minReadRate: number, windowMs: number): void {
  if (now - reader.since < windowMs) return
  const { sent, pending } = progressOf(reader.socket)
  const expected = Math.min((minReadRate * windowMs) / 1000, reader.pending)
  if (sent - reader.sent < expected) reader.socket.resetAndDestroy()
  else Object.assign(reader, { since: now, sent, pending })
}

/**
 * What a socket has sent in all, and what waits in it. Node counts a write when all of it is sent, and an answer is
 * one write: how much of it is left only the handle tells.
 */
function progressOf(socket: Socket): Readonly<{ sent: number; pending: number }> {
  const { _handle: handle } = socket as Socket & {
    _handle?: Readonly<{ writeQueueSize?: number }> | null
  }
  const pending = handle?.writeQueueSize ?? socket.writableLength
  return { sent: socket.bytesWritten - pending, pending }
}
