import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { findField } from './bson-peek.js'
import type { Request } from './wire.js'
import { withTextField } from './wire.js'

/**
 * A MongoDB server ends a read when its client disconnects, but the engine runs it to its end. So the host marks each
 * read that it forwards, and kills those of disconnected clients in the engine.
 */

/** The commands that a server ends for this reason. Writes are finished. */
const reads = new Set(['find', 'aggregate', 'count', 'distinct', 'getMore'])

const marks = { prefix: `quire-host-${randomUUID()}-`, next: 0 }

export type MarkedRead = Readonly<{ message: Buffer; mark: string }>

/**
 * Adds a comment to a read by which `$currentOp` shows it. Returns undefined for a command that is not a read or cannot
 * be marked, because it has its own comment or a checksum.
 */
export function markRead(request: Request, message: Buffer): MarkedRead | undefined {
  const { command, bodyAt, expectsReply, legacy, checksum } = request
  if (!reads.has(command) || !expectsReply || legacy || checksum) return undefined
  if (findField(message, bodyAt, 'comment') !== undefined) return undefined
  const mark = `${marks.prefix}${(marks.next += 1)}`
  return { message: withTextField(message, bodyAt, 'comment', mark), mark }
}

/**
 * Waits for a read. After its client has disconnected, calls `kill` repeatedly until the read has ended: the engine may
 * not have begun it, or may be in a phase that it cannot interrupt.
 */
export async function untilDoneOrGone<Result>(
  read: Promise<Result>,
  gone: AbortSignal,
  kill: () => Promise<void>,
): Promise<Result> {
  let ended = false
  const killUntilEnded = async (): Promise<void> => {
    for (let pauseMs = 5; !ended; pauseMs = Math.min(pauseMs * 2, 200)) {
      await kill().catch(() => undefined)
      await sleep(pauseMs)
    }
  }
  const onGone = () => void killUntilEnded()
  gone.addEventListener('abort', onGone, { once: true })
  try {
    return await read
  } finally {
    ended = true
    gone.removeEventListener('abort', onGone)
  }
}
