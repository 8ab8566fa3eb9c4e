import type { S3 as Client } from '@aws-sdk/client-s3'
import { once } from 'node:events'
import { ApiError, notDone } from '../../../engine/errors.js'
import { codeOf } from './on-disk.js'

/** A bucket, and how to access it. */
export type S3Options = Readonly<{
  bucket: string
  region: string
  /** Absent: AWS. */
  endpoint?: string | undefined
  forcePathStyle: boolean
  /** Prefix of keys: empty, or ending with a slash. */
  prefix: string
  /** If absent, files are served through this service. */
  publicUrl?: string | undefined
  /**
   * Time limit in ms of a request with its retries, and of each further chunk of a download. For uploads it is doubled.
   */
  timeoutMs: number
  attempts: number
  /** If absent, the SDK looks for credentials (its variables, its files, the machine's role). */
  credentials?: S3Credentials | undefined
  /** Maximum size of a file in bytes. It determines the size of the parts of multipart uploads. */
  sizeLimit: number
}>

export type S3Credentials = Readonly<{ accessKeyId: string; secretAccessKey: string }>

type Waiting = Readonly<{ abortSignal: AbortSignal }>

/** The loaded SDK, and its clients. */
export type S3 = Awaited<ReturnType<typeof openS3>>

/**
 * Loads the SDK and creates clients. Loaded only if S3 is used, because it takes half a second and thirty megabytes.
 */
export async function openS3(options: S3Options) {
  const [sdk, { getSignedUrl }] = await Promise.all([
    import('@aws-sdk/client-s3'),
    import('@aws-sdk/s3-request-presigner'),
  ])
  const { region, endpoint, forcePathStyle, credentials, timeoutMs, attempts } = options
  const connect = (times: Readonly<{ requestTimeout: number; socketTimeout: number }>) =>
    new sdk.S3({
      region,
      forcePathStyle,
      maxAttempts: attempts,
      ...(endpoint && { endpoint }),
      ...(credentials && { credentials }),
      // Not every store supports the newer checksums. They are not needed, because bodies are signed with their hash.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      requestHandler: {
        connectionTimeout: Math.min(timeoutMs, 5_000),
        throwOnRequestTimeout: true,
        ...times,
      },
    })
  // Set no socket timeout, because it would cut off a client that reads slowly. Readers apply the limit themselves.
  const client = connect({ requestTimeout: timeoutMs, socketTimeout: 0 })
  // An upload may take any time while bytes move, because a slow network is not an error. The system buffers the last
  // megabytes and their transfer cannot be observed, so the limit is doubled.
  const sender = connect({ requestTimeout: 0, socketTimeout: 2 * timeoutMs })
  /**
   * Sends a request. The limit of `timeoutMs` includes all its retries and their pauses; `signal` can abort it earlier.
   * Throws `unavailable` if S3 refuses the request or does not respond. The error omits the SDK's data about the
   * request.
   */
  const request = <T>(run: (options: Waiting) => Promise<T>, signal?: AbortSignal): Promise<T> =>
    inS3(async () => {
      const late = new AbortController()
      const abortSignal = eitherOf(late.signal, signal)
      const timer = setTimeout(() => late.abort(), timeoutMs)
      try {
        return await Promise.race([endOf(abortSignal), run({ abortSignal })])
      } finally {
        clearTimeout(timer)
      }
    })
  /**
   * Sends content until `signal` aborts. If no byte moves for twice `timeoutMs`, the SDK retries. Throws like
   * `request`.
   */
  const send = <T>(
    run: (sender: Client, options: Waiting) => Promise<T>,
    signal: AbortSignal,
  ): Promise<T> =>
    inS3(() => {
      // Derive a signal, because each part of a large file adds a listener to it.
      const abortSignal = AbortSignal.any([signal])
      return Promise.race([endOf(abortSignal), run(sender, { abortSignal })])
    })
  const close = () => {
    client.destroy()
    sender.destroy()
  }
  return { sdk, getSignedUrl, client, request, send, close }
}

/** Returns a signal that aborts when the first of these signals aborts. */
export const eitherOf = (...signals: readonly (AbortSignal | undefined)[]): AbortSignal =>
  AbortSignal.any(signals.filter((signal) => signal !== undefined))

/** Rejects when `signal` aborts. The SDK itself ignores the signal during its pauses between retries. */
async function endOf(signal: AbortSignal): Promise<never> {
  if (!signal.aborted) await once(signal, 'abort')
  throw new DOMException('The wait for S3 was too long', 'TimeoutError')
}

/** Converts errors to `unavailable`: failures of S3 are not the client's mistake. */
async function inS3<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    if (error instanceof ApiError) throw error
    throw refusalOf(error)
  }
}

export function refusalOf(error: unknown): ApiError {
  const name = nameOf(error)
  const message = ['TimeoutError', 'ETIMEDOUT'].includes(name)
    ? 'The file storage (S3) does not respond in time'
    : `The file storage (S3) fails (${name}), so files cannot be stored or read`
  // Keep only the error's text, because its other members contain the request.
  const text = error instanceof Error ? error.message : ''
  return Object.assign(notDone(message), { cause: new Error(`${name}: ${text}`) })
}

/** Returns the name that S3 or the network gives an error: `SlowDown`, `ECONNREFUSED`. */
export function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  const found = codeOf(error) ?? error.name
  return /^[\w.-]{1,64}$/.test(found) ? found : 'unknown'
}

/** Returns the HTTP status; undefined if there was no response. */
export function statusOf(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null || !('$metadata' in error)) return undefined
  const { httpStatusCode } = error.$metadata as { httpStatusCode?: number }
  return httpStatusCode
}
