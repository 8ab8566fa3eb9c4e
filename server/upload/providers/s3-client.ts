import type { S3 as Client } from '@aws-sdk/client-s3'
import { once } from 'node:events'
import { ApiError, notDone } from '../../../engine/errors.js'
import { codeOf } from './on-disk.js'

/** Where a bucket is, and who asks. */
export type S3Options = Readonly<{
  bucket: string
  region: string
  /** Absent: AWS. */
  endpoint?: string | undefined
  forcePathStyle: boolean
  /** What keys begin with: empty, or with a slash at its end. */
  prefix: string
  /** Absent: what is stored is served through this service. */
  publicUrl?: string | undefined
  /** Of a request with its repetitions, and of each further piece of what is read; twice that of what is sent. */
  timeoutMs: number
  attempts: number
  /** Absent: those that the SDK finds (its variables, its files, the machine's role). */
  credentials?: S3Credentials | undefined
  /** The largest file, in bytes: of it a multipart upload's parts are. */
  sizeLimit: number
}>

export type S3Credentials = Readonly<{ accessKeyId: string; secretAccessKey: string }>

type Waiting = Readonly<{ abortSignal: AbortSignal }>

/** The SDK, and a client of it. */
export type S3 = Awaited<ReturnType<typeof openS3>>

/** Loads the SDK, which takes half a second and thirty megabytes: nobody waits for it who has no S3. */
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
      // Not every store knows the newer checksums; bodies are signed with their hash.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      requestHandler: {
        connectionTimeout: Math.min(timeoutMs, 5_000),
        throwOnRequestTimeout: true,
        ...times,
      },
    })
  // A client that reads slowly would have the answer cut off; whoever waits for S3 counts himself.
  const client = connect({ requestTimeout: timeoutMs, socketTimeout: 0 })
  // As long as bytes move, they may take long: a network that is slow is not one that hangs. Of the last that were sent
  // the system holds some megabytes, and nobody sees them go: those have as long again.
  const sender = connect({ requestTimeout: 0, socketTimeout: 2 * timeoutMs })
  /**
   * Asks with what `run` sends, for `timeoutMs` in all or until `signal`, its repetitions and their pauses included.
   * Throws `unavailable` for what S3 refuses or does not answer, without what the SDK knows of the request.
   */
  const ask = <T>(run: (options: Waiting) => Promise<T>, signal?: AbortSignal): Promise<T> =>
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
   * Sends content with what `run` sends, until `signal`; where for twice `timeoutMs` nothing moves of it, it is tried
   * again.
   * Throws as `ask`.
   */
  const send = <T>(
    run: (sender: Client, options: Waiting) => Promise<T>,
    signal: AbortSignal,
  ): Promise<T> =>
    inS3(() => {
      // Each part of a large file listens.
      const abortSignal = AbortSignal.any([signal])
      return Promise.race([endOf(abortSignal), run(sender, { abortSignal })])
    })
  const close = () => {
    client.destroy()
    sender.destroy()
  }
  return { sdk, getSignedUrl, client, ask, send, close }
}

/** Aborted when the first of them is. */
export const eitherOf = (...signals: readonly (AbortSignal | undefined)[]): AbortSignal =>
  AbortSignal.any(signals.filter((signal) => signal !== undefined))

/** Rejects when nobody waits any more: the SDK's pauses between repetitions know nothing of it. */
async function endOf(signal: AbortSignal): Promise<never> {
  if (!signal.aborted) await once(signal, 'abort')
  throw new DOMException('S3 was waited for long enough', 'TimeoutError')
}

/** What S3 refuses or does not answer is nobody's mistake who asks for a file. */
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
    ? 'The store of files (S3) does not answer in time'
    : `The store of files (S3) fails (${name}), files cannot be stored or read`
  // Of the error its text alone: its other members hold the request.
  const text = error instanceof Error ? error.message : ''
  return Object.assign(notDone(message), { cause: new Error(`${name}: ${text}`) })
}

/** What S3 or the network calls it: `SlowDown`, `ECONNREFUSED`. */
export function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  const found = codeOf(error) ?? error.name
  return /^[\w.-]{1,64}$/.test(found) ? found : 'unknown'
}

/** 404 and its like; undefined where nobody answered. */
export function statusOf(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null || !('$metadata' in error)) return undefined
  const { httpStatusCode } = error.$metadata as { httpStatusCode?: number }
  return httpStatusCode
}
