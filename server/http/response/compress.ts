import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Request } from 'express'
import Negotiator from 'negotiator'
import type { Reply } from '../route.js'
import { bytesOf } from './send-reply.js'
import type { OutputBuffers } from './output-buffers.js'

/** Compresses the response to a read if the client accepts a supported encoding. */
export type Compress = (request: Request, reply: Reply) => Promise<Reply>

type Encoding = 'br' | 'gzip'

/** In bytes. Compressing a smaller response would save fewer bytes than the additional headers take. */
const leastBytes = 1024

const asBrotli = promisify(brotliCompress)
const asGzip = promisify(gzip)

/** At these levels, a megabyte of JSON takes one thread 10 to 20 ms and shrinks to about a tenth. */
const encoders: Readonly<Record<Encoding, (bytes: Uint8Array) => Promise<Uint8Array>>> = {
  br: (bytes) =>
    asBrotli(bytes, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: 4,
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.byteLength,
      },
    }),
  gzip: (bytes) => asGzip(bytes, { level: 5 }),
}

/**
 * Creates the function that compresses text responses in Node's thread pool; undefined if `http.compression` is off.
 * Bytes from the response cache (`cache.answers`) are compressed only once per encoding, even for concurrent requests.
 */
export function createCompress(
  isWanted: boolean,
  outputBuffers: OutputBuffers,
): Compress | undefined {
  if (!isWanted) return undefined
  const made = new WeakMap<Uint8Array, Partial<Record<Encoding, Promise<Uint8Array>>>>()
  const encode = (bytes: Uint8Array, encoding: Encoding): Promise<Uint8Array> => {
    const known = made.get(bytes) ?? {}
    made.set(bytes, known)
    return (known[encoding] ??= encodeOnce(bytes, encoding).catch((error: unknown) => {
      delete known[encoding]
      throw error
    }))
  }
  const encodeOnce = async (bytes: Uint8Array, encoding: Encoding): Promise<Uint8Array> => {
    await outputBuffers.update(bytes.byteLength)
    outputBuffers.check(bytes.byteLength)
    const release = outputBuffers.reserve(bytes.byteLength)
    try {
      return await encoders[encoding](bytes)
    } finally {
      release()
    }
  }
  return async (request, reply) => {
    if (!isText(reply)) return reply
    const { ETag: tag, ...others } = { ...reply.headers }
    const headers = {
      ...others,
      Vary: varying(others.Vary),
      // A weak tag, because compressed and uncompressed bytes differ (RFC 9110, 8.8.1). A 304 has the same tag as the
      // 200 that it stands for.
      ...(tag && { ETag: tag.replace(/^(?!W\/)/, 'W/') }),
    }
    const body = reply.body === undefined ? undefined : bytesOf(reply.body)
    const encoding = chosenBy(request)
    if (body === undefined || body.byteLength < leastBytes || encoding === undefined)
      return { ...reply, headers }
    return {
      ...reply,
      headers: { ...headers, 'Content-Encoding': encoding },
      body: await encode(body, encoding),
    }
  }
}

/** Returns whether the body is text. A 304 without a body counts too, because it stands for a JSON response. */
const isText = ({ status, headers, body, content, stream }: Reply): boolean =>
  content === undefined &&
  stream === undefined &&
  (body !== undefined || status === 304) &&
  /^(application\/(json|javascript)|text\/)/.test(headers?.['Content-Type'] ?? 'application/json')

const varying = (before: string | undefined): string =>
  before === undefined ? 'Accept-Encoding' : `${before}, Accept-Encoding`

/** An option that the package's types lack: `preferred` decides between encodings that the client prefers equally. */
type Preferring = Readonly<{
  encodings: (offered: readonly string[], options: { preferred: readonly string[] }) => string[]
}>

const encodings = ['br', 'gzip'] as const

/** Returns the encoding that the client prefers; brotli if it has no preference. */
function chosenBy(request: Request): Encoding | undefined {
  const offered = [...encodings, 'identity']
  const negotiator = new Negotiator(request) as unknown as Preferring
  const [best] = negotiator.encodings(offered, { preferred: encodings })
  return encodings.find((encoding) => encoding === best)
}
