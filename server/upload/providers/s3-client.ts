import type { S3 as Client } from '@aws-sdk/client-s3'
import { once } from 'node:events'
import { ApiError, notDone } from '../../../engine/errors.js'
import { codeOf } from './on-disk.js'

/** A bucket, and how to access it. */
export type S3Options = Readonly<{
  bucket: string
  region: string
  /** Absent for AWS. */
  endpoint?: string | undefined
  forcePathStyle: boolean
  /** Prefix of all keys: empty, or ending with a slash. */
  prefix: string
  /** Public address of the bucket. If absent, files are served through this service. */
  publicUrl?: string | undefined
  /** In ms, for a request with its retries, and for each chunk of a download. Doubled for uploads. */
  timeoutMs: number
  attempts: number
  /** If absent, the SDK looks for credentials in its variables, its files, and the machine's role. */
  credentials?: S3Credentials | undefined
  /** Maximum size of a file in bytes, which determines the part size. */
  sizeLimit: number
}>

export type S3Credentials = Readonly<{ accessKeyId: string; secretAccessKey: string }>

type Waiting = Readonly<{ abortSignal: AbortSignal }>

/** The loaded SDK, its clients, and functions that send requests with time limits. */
export type S3 = Awaited<ReturnType<typeof openS3>>

/** Loads the SDK, which takes half a second and thirty megabytes. Call this only if S3 is used. */
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
      // Some compatible stores lack the newer checksums. Bodies are signed with their hash anyway.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      requestHandler: {
        connectionTimeout: Math.min(timeoutMs, 5_000),
        throwOnRequestTimeout: true,
        ...times,
      },
    })
  // A socket timeout would cut off clients that read slowly. Callers limit the time of each chunk.
  const client = connect({ requestTimeout: timeoutMs, socketTimeout: 0 })
  // Limits only the time without progress. Doubled, because no progress is visible while the system sends the last
  // megabytes, which it has buffered.
  const sender = connect({ requestTimeout: 0, socketTimeout: 2 * timeoutMs })
  /**
   * Sends a request. Throws `unavailable`, without the SDK's data about the request, if S3 rejects it or does not
   * respond. `timeoutMs` includes all retries and pauses.
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
   * Sends content without a total time limit: the SDK tries again if no byte moves for twice `timeoutMs`. Throws the
   * same errors as `request`.
   */
  const send = <T>(
    run: (sender: Client, options: Waiting) => Promise<T>,
    signal: AbortSignal,
  ): Promise<T> =>
    inS3(() => {
      // Use a separate signal for this upload, because the SDK adds a listener for each part of a large file.
      const abortSignal = AbortSignal.any([signal])
      return Promise.race([endOf(abortSignal), run(sender, { abortSignal })])
    })
  const close = () => {
    client.destroy()
    sender.destroy()
  }
  return { sdk, getSignedUrl, client, request, send, close }
}

/** Returns a signal that aborts as soon as one of these signals does. */
export const eitherOf = (...signals: readonly (AbortSignal | undefined)[]): AbortSignal =>
  AbortSignal.any(signals.filter((signal) => signal !== undefined))

/** Rejects when `signal` aborts, which the SDK ignores during its pauses between retries. */
async function endOf(signal: AbortSignal): Promise<never> {
  if (!signal.aborted) await once(signal, 'abort')
  throw new DOMException('The wait for S3 was too long', 'TimeoutError')
}

/** Converts errors of S3 to `unavailable`, because they are not the client's mistake. */
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
  // Other members of the SDK's error contain the request.
  const text = error instanceof Error ? error.message : ''
  return Object.assign(notDone(message), { cause: new Error(`${name}: ${text}`) })
}

/** Returns the name of an error, such as `SlowDown` or `ECONNREFUSED`. */
export function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  const found = codeOf(error) ?? error.name
  return /^[\w.-]{1,64}$/.test(found) ? found : 'unknown'
}

/** Returns the HTTP status of an SDK's error; undefined without a response. */
export function statusOf(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null || !('$metadata' in error)) return undefined
  const { httpStatusCode } = error.$metadata as { httpStatusCode?: number }
  return httpStatusCode
}
