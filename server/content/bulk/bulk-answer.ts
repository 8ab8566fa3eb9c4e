import type { ApiError } from '../../../engine/errors.js'
import { fail } from '../../../engine/errors.js'
import { afterWrite } from '../../http/write-outcome.js'
import { errorReply } from '../../http/error-reply.js'
import type { Reply } from '../../http/route.js'

/**
 * Lets through what fits into an answer of so many bytes with all that came before; of the others is told that they
 * were done, or the message of their error. Taken one by one, so that what does not fit is held by nobody.
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

/** `{"data":[{"status":201,"data":{…},"meta":{}},{"status":204}],"meta":{}}`, the answers as they are. */
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
