import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { findField } from './bson-peek.js'
import type { Request } from './wire.js'
import { withTextField } from './wire.js'

/**
 * A MongoDB server ends a read whose client has hung up; the engine runs it to its end. So the host
 * marks what it passes on, and kills in the engine what is running under the mark of one who left.
 */

/** The commands that a server ends for this reason; writes are finished. */
const reads = new Set(['find', 'aggregate', 'count', 'distinct', 'getMore'])

const marks = { prefix: `quire-host-${randomUUID()}-`, next: 0 }

export type MarkedRead = Readonly<{ message: Buffer; mark: string }>

/**
 * A read with a comment of the host's, by which `$currentOp` shows it; undefined for a command that is
 * none, or cannot be marked: it has a comment of its own, or a checksum.
 */
export function markRead(request: Request, message: Buffer): MarkedRead | undefined {
  const { command, bodyAt, expectsReply, legacy, checksum } = request
  if (!reads.has(command) || !expectsReply || legacy || checksum) return undefined
  if (findField(message, bodyAt, 'comment') !== undefined) return undefined
  const mark = `${marks.prefix}${(marks.next += 1)}`
  return { message: withTextField(message, bodyAt, 'comment', mark), mark }
}

/**
 * Waits for a read; from when its client is gone, `kill` is called until it has ended: the engine may
 * not have begun with it, or may be where it does not listen.
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
