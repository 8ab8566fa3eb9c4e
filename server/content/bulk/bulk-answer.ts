import type { ApiError } from '../../../engine/errors.js'
import { fail } from '../../../engine/errors.js'
import { afterWrite } from '../../http/routes/write-outcome.js'
import { errorReply } from '../../http/response/error-reply.js'
import type { Reply } from '../../http/route.js'

/**
 * Limits the bytes of a response to a request of many writes. Replies that fit are passed on. Any other is replaced by
 * a short error: that it was done, or the message of its own error. Replies are passed one by one, so that those that
 * do not fit are not kept in memory.
 */
export function upToBytes(maxBytes: number): (reply: Reply) => Reply {
  let bytes = 0
  return (reply) => {
    const { body } = reply
    const text = body instanceof Uint8Array ? body : Buffer.from(JSON.stringify(body ?? {}))
    if (bytes + text.byteLength <= maxBytes) {
      bytes += text.byteLength
      return { ...reply, body: text }
    }
    if (reply.status < 400) return errorReply(afterWrite(tooLarge(maxBytes)))
    const { error } = JSON.parse(text.toString()) as { error: Record<string, unknown> }
    const message = String(error['message']).slice(0, 200)
    return { status: reply.status, body: { data: null, error: { ...error, message, details: {} } } }
  }
}

/**
 * Serializes `{"data":[{"status":201,"data":{…},"meta":{}},{"status":204}],"meta":{}}`, with each body inserted as it
 * is.
 */
export function bodyOf(replies: readonly Reply[]): Uint8Array {
  const parts = replies.flatMap((reply, at) => [at === 0 ? '' : ',', ...itemOf(reply)])
  return Buffer.concat(
    ['{"data":[', ...parts, '],"meta":{}}'].map((part) =>
      typeof part === 'string' ? Buffer.from(part) : part,
    ),
  )
}

function itemOf({ status, body }: Reply): (Uint8Array | string)[] {
  const text = body instanceof Uint8Array ? body : Buffer.from(JSON.stringify(body ?? {}))
  const head = `{"status":${status}`
  return text.byteLength === 2 ? [`${head}}`] : [`${head},`, text.subarray(1)]
}

function tooLarge(limit: number): ApiError {
  const bound = 'api.rest.maxAnswerBytes'
  return fail('limit-exceeded', { what: 'The size of the answer', bound, limit }, { bound, limit })
}
