import { addAbortSignal, Readable } from 'node:stream'
import { ApiError, notDone } from '../../../engine/errors.js'
import { isStoredName } from '../file-name.js'
import { uploadHeaders, uploadsPath } from '../serve.js'
import type { ByteRange, StorageProvider } from '../storage-provider.js'
import { inS3, openS3, refusalOf, statusOf, type S3, type S3Options } from './s3-client.js'
import { removeAbandonedUploads } from './s3-unfinished.js'

/** Parts of one upload that are under way; with the one that is being filled, what an upload has in memory. */
const partsAtOnce = 2
const minPartBytes = 5 * 1024 ** 2
const maxParts = 10_000

/** Nobody waits longer for what failed to be taken back: what is left is found later. */
const takeBackMs = 5_000

/** Keeps files in a bucket of S3, or of anything that speaks it. The SDK is loaded when it is first asked. */
export function createS3Provider(options: S3Options): StorageProvider {
  const { bucket, prefix, publicUrl, timeoutMs } = options
  const partSize = Math.max(minPartBytes, Math.ceil(options.sizeLimit / maxParts))
  let opened: Promise<S3> | undefined
  const open = (): Promise<S3> => (opened ??= openS3(options))
  const locate = (name: string) => {
    if (!isStoredName(name)) throw new Error(`Not the name of a stored file: ${name}`)
    return { Bucket: bucket, Key: `${prefix}${name}` }
  }

  /** Whatever came of the upload, which failed: its parts go with `Upload` itself, where S3 can be reached. */
  const takeBack = async (name: string): Promise<void> => {
    const { sdk, client } = await open()
    const abortSignal = AbortSignal.timeout(takeBackMs)
    await client
      .send(new sdk.DeleteObjectCommand(locate(name)), { abortSignal })
      .catch(() => undefined)
  }

  return {
    name: 's3',
    put: async (name, content, { mime }, signal) => {
      // It may fail before it is read, which is told when it is.
      content.on('error', () => undefined)
      if (signal !== undefined) addAbortSignal(signal, content)
      const counted = { bytes: 0, failure: undefined as unknown }
      const { Upload, client } = await open()
      const upload = new Upload({
        client,
        params: { ...locate(name), ...storedHeaders(name, mime), Body: counting(content, counted) },
        partSize,
        queueSize: partsAtOnce,
      })
      try {
        signal?.throwIfAborted()
        await upload.done()
        return counted.bytes
      } catch (error) {
        await takeBack(name)
        throw counted.failure ?? (signal?.aborted === true ? signal.reason : refusalOf(error))
      } finally {
        content.destroy()
      }
    },
    stat: async (name) => {
      const { sdk, client } = await open()
      const found = await unlessMissing(() => client.send(new sdk.HeadObjectCommand(locate(name))))
      if (found === undefined) return undefined
      return { size: found.ContentLength ?? 0, modifiedAt: found.LastModified ?? new Date() }
    },
    open: async (name, range) => {
      const { sdk, client } = await open()
      const asked = new sdk.GetObjectCommand({ ...locate(name), ...rangeHeader(range) })
      const found = await unlessMissing(() => client.send(asked))
      if (found === undefined) return undefined
      const body = found.Body
      if (!(body instanceof Readable)) throw notDone('The store of files (S3) sent no content')
      return Readable.from(inPatience(body, timeoutMs), { objectMode: false })
    },
    remove: async (name) => {
      const { sdk, client } = await open()
      await inS3(() => client.send(new sdk.DeleteObjectCommand(locate(name))))
    },
    url: (name) =>
      publicUrl === undefined ? `${uploadsPath}/${name}` : `${publicUrl}/${prefix}${name}`,
    list: async function* () {
      const { sdk, client } = await open()
      let ContinuationToken: string | undefined
      do {
        const asked = { Bucket: bucket, Prefix: prefix, Delimiter: '/', ContinuationToken }
        const page = await inS3(() => client.send(new sdk.ListObjectsV2Command(asked)))
        for (const { Key = '', Size = 0, LastModified = new Date() } of page.Contents ?? []) {
          const name = Key.slice(prefix.length)
          if (isStoredName(name)) yield { name, size: Size, modifiedAt: LastModified }
        }
        ContinuationToken = page.IsTruncated === true ? page.NextContinuationToken : undefined
      } while (ContinuationToken !== undefined)
    },
    removeUnfinished: async (olderThanMs) =>
      removeAbandonedUploads(await open(), { bucket, prefix, olderThanMs }),
    link: async (name, { contentType, contentDisposition }, expiresAt) => {
      const { sdk, client, getSignedUrl } = await open()
      const seconds = Math.floor((expiresAt.getTime() - Date.now()) / 1000)
      const expiresIn = Math.min(Math.max(seconds, 1), maxLinkSeconds)
      const asked = new sdk.GetObjectCommand({
        ...locate(name),
        ResponseContentType: contentType,
        // What is stored says that everybody may keep it.
        ResponseCacheControl: `private, max-age=${expiresIn}`,
        ...(contentDisposition === undefined
          ? {}
          : { ResponseContentDisposition: contentDisposition }),
      })
      return inS3(() => getSignedUrl(client, asked, { expiresIn }))
    },
    close: async () => {
      if (opened !== undefined) (await opened).client.destroy()
    },
  }
}

/** S3 signs for a week at most. */
const maxLinkSeconds = 604_800

/** As it is served from the bucket itself, where `publicUrl` leads there: as `GET /uploads/:name` would. */
function storedHeaders(name: string, mime: string) {
  const headers = uploadHeaders(name) ?? {}
  const disposition = headers['Content-Disposition']
  return {
    ContentType: headers['Content-Type'] ?? mime,
    CacheControl: headers['Cache-Control'],
    ...(disposition === undefined ? {} : { ContentDisposition: disposition }),
  }
}

const rangeHeader = (range: ByteRange | undefined) =>
  range === undefined ? {} : { Range: `bytes=${range.start}-${range.end}` }

/** The content as it is read, with what was read of it and why it failed, which `Upload` may not say. */
function counting(content: Readable, counted: { bytes: number; failure: unknown }): Readable {
  async function* read() {
    try {
      for await (const chunk of content as AsyncIterable<Uint8Array>) {
        counted.bytes += chunk.byteLength
        yield chunk
      }
    } catch (error) {
      counted.failure = error
      throw error
    }
  }
  return Readable.from(read(), { objectMode: false })
}

/** What is read is waited for so long, each time; for whoever reads it slowly nobody waits. */
async function* inPatience(body: Readable, ms: number): AsyncGenerator<Uint8Array> {
  let timer: NodeJS.Timeout | undefined
  const chunks: AsyncIterator<Uint8Array, undefined> = body[Symbol.asyncIterator]()
  try {
    for (;;) {
      timer = setTimeout(() => body.destroy(new Error('S3 said nothing more')), ms)
      const next = await chunks.next()
      clearTimeout(timer)
      if (next.done === true) return
      yield next.value
    }
  } catch (error) {
    throw error instanceof ApiError ? error : refusalOf(error)
  } finally {
    clearTimeout(timer)
    body.destroy()
  }
}

/** Undefined where there is nothing under the key; a bucket that is not there is a failure. */
async function unlessMissing<T>(run: () => Promise<T>): Promise<T | undefined> {
  return inS3(async () => {
    try {
      return await run()
    } catch (error) {
      const isMissing =
        statusOf(error) === 404 && !(error instanceof Error && error.name === 'NoSuchBucket')
      if (isMissing) return undefined
      throw error
    }
  })
}
