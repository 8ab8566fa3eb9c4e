import { errorReply } from '../../http/response/error-reply.js'
import type { Reply } from '../../http/route.js'
import type { Outcome } from '../documents.js'
import { limitReplySize } from './bulk-answer.js'
import type { Operation } from './parse-operations.js'

/** How an operation of this request ended, or `before`: the outcome that an earlier request recorded. */
export type Ended = Readonly<{ wrote: boolean; thrown?: unknown }> | Readonly<{ before: Outcome }>

/**
 * Maximum bytes of all errors in one record, which is stored for a day. Further errors are shortened to their messages.
 */
const maxRefusalBytes = 262_144

/**
 * Returns the outcomes of operations that succeeded or were rejected: a repeated request must not run them again.
 * Operations that failed or timed out run again, as do later operations on the same document, to keep the order.
 *
 * @param operations undefined for an invalid operation
 */
export function outcomesOf(
  operations: readonly (Operation | undefined)[],
  ended: readonly Ended[],
): ReadonlyMap<number, Outcome> {
  const shorten = limitReplySize(maxRefusalBytes)
  const again = new Set<string>()
  const outcomes = new Map<number, Outcome>()
  for (const [at, end] of ended.entries()) {
    const { op, documentId } = operations[at] ?? {}
    const outcome = outcomeOf(op, end, shorten)
    if (documentId !== undefined && (outcome === undefined || again.has(documentId)))
      again.add(documentId)
    else if (outcome !== undefined) outcomes.set(at, outcome)
  }
  return outcomes
}

function outcomeOf(
  op: Operation['op'] | undefined,
  ended: Ended,
  shorten: (reply: Reply) => Reply,
): Outcome | undefined {
  if ('before' in ended) return ended.before
  const { wrote, thrown } = ended
  const done = { status: op === 'create' ? 201 : op === 'delete' ? 204 : 200 }
  if (wrote || thrown === undefined) return done
  const reply = errorReply(thrown)
  const { error } = reply.body as unknown as Readonly<{ error: Refusal }>
  if (error.details?.outcome === 'done') return done
  // Do not record a conflict with another write: it may not occur next time.
  if (reply.status >= 500 || reply.status === 409) return undefined
  const { body } = shorten(reply)
  const text = body instanceof Uint8Array ? Buffer.from(body).toString() : JSON.stringify(body)
  return { status: reply.status, error: text }
}

type Refusal = Readonly<{ details?: Readonly<{ outcome?: unknown }> }>
