import type { CustomFetch } from 'openid-client'
import { isSecureAddress } from '../../settings/secure-address.js'

/** Maximum size of a response in bytes. No provider sends more for its configuration, its keys or a user. */
const maxBytes = 262_144

/**
 * Creates a `fetch` for other servers. It requires https or a local address, follows no redirects, and limits the size
 * and the total time (in ms) of a response. Its errors have a `code` that may be logged.
 */
export const createBoundedFetch =
  (timeoutMs: number): CustomFetch =>
  async (url, { signal, body: sent, ...options }) => {
    if (!isSecureAddress(new URL(url))) throw coded('NOT_HTTPS')
    const ends = AbortSignal.timeout(timeoutMs)
    try {
      const response = await fetch(url, {
        ...options,
        body: sent ?? null,
        redirect: 'manual',
        signal: signal === undefined ? ends : AbortSignal.any([signal, ends]),
      })
      const { status, headers } = response
      const body = await readBounded(response)
      return new Response(isBodiless(status) ? null : body, { status, headers })
    } catch (error) {
      throw error instanceof TypeError ? new Unreachable(error) : error
    }
  }

/** The server is unreachable or closed the connection: Node's `fetch` throws a `TypeError` in both cases. */
export class Unreachable extends Error {
  constructor(cause: TypeError) {
    super(cause.message, { cause })
  }
}

async function readBounded({
  body,
}: Readonly<{ body: AsyncIterable<Uint8Array> | null }>): Promise<Buffer<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  let size = 0
  // Throwing from the loop closes the connection.
  for await (const chunk of body ?? []) {
    size += chunk.byteLength
    if (size > maxBytes) throw coded('TOO_LARGE')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

const isBodiless = (status: number): boolean => [101, 204, 205, 304].includes(status)

/** Creates an error whose code may be logged. */
export const coded = (code: string): Error => Object.assign(new Error(code), { code })
