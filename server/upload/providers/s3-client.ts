import type { S3 as Client } from '@aws-sdk/client-s3'
import { once } from 'node:events'
import { ApiError, notDone } from '../../../engine/errors.js'
import { codeOf } from './on-disk.js'

/** A bucket, and how to access it. */
export type S3Options = Readonly<{
  bucket: string
  region: string
  /** Address of the S3 service; absent for AWS. */
  endpoint?: string | undefined
  forcePathStyle: boolean
  /** Prefix of all keys: empty, or ending with a slash. */
  prefix: string
  /** Public address of the bucket. If absent, files are served through this service. */
  publicUrl?: string | undefined
  /**
   * Time limit in ms of a request including its retries, and for each chunk of a download. For uploads it is doubled.
   */
  timeoutMs: number
  attempts: number
  /** If absent, the SDK looks for credentials itself: in its variables, in its files, and by the machine's role. */
  credentials?: S3Credentials | undefined
  /** Maximum size of a file in bytes. It determines the part size of multipart uploads. */
  sizeLimit: number
}>

export type S3Credentials = Readonly<{ accessKeyId: string; secretAccessKey: string }>

type Waiting = Readonly<{ abortSignal: AbortSignal }>

/** The loaded SDK, its clients, and functions that send requests with time limits. */
export type S3 = Awaited<ReturnType<typeof openS3>>

/**
 * Loads the SDK and creates its clients. Call it only if S3 is used, because the SDK takes half a second and thirty
 * megabytes.
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
      // Not every compatible store supports the newer checksums. They are not needed, because bodies are signed with
      // their hash.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      requestHandler: {
        connectionTimeout: Math.min(timeoutMs, 5_000),
        throwOnRequestTimeout: true,
        ...times,
      },
    })
  // Set no socket timeout, because it would cut off clients that read slowly. Callers apply the time limit to each
  // chunk instead.
  const client = connect({ requestTimeout: timeoutMs, socketTimeout: 0 })
  // An upload may take any time as long as bytes move, because a slow network is not an error. The limit is doubled
  // because the system buffers the last megabytes, whose transfer cannot be observed.
  const sender = connect({ requestTimeout: 0, socketTimeout: 2 * timeoutMs })
  /**
   * Sends a request. The time limit `timeoutMs` includes all retries and the pauses between them; `signal` can abort
   * the request earlier. Throws `unavailable` if S3 rejects the request or does not respond. The error does not contain
   * the SDK's data about the request.
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
   * Sends content without a total time limit; `signal` can abort it. If no byte moves for twice `timeoutMs`, the SDK
   * tries again. Throws the same errors as `request`.
   */
  const send = <T>(
    run: (sender: Client, options: Waiting) => Promise<T>,
    signal: AbortSignal,
  ): Promise<T> =>
    inS3(() => {
      // Use a separate signal, because each part of a large file adds a listener to it.
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

/** Runs requests to S3. Converts their errors to `unavailable`, because failures of S3 are not the client's mistake. */
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
  // Keep only the text of the SDK's error, because its other members contain the request.
  const text = error instanceof Error ? error.message : ''
  return Object.assign(notDone(message), { cause: new Error(`${name}: ${text}`) })
}

/** Returns the name of an error of S3 or the network, such as `SlowDown` or `ECONNREFUSED`. */
export function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  const found = codeOf(error) ?? error.name
  return /^[\w.-]{1,64}$/.test(found) ? found : 'unknown'
}

/** Returns the HTTP status in an error of the SDK; undefined if there was no response. */
export function statusOf(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null || !('$metadata' in error)) return undefined
  const { httpStatusCode } = error.$metadata as { httpStatusCode?: number }
  return httpStatusCode
}
