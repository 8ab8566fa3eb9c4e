import { Readable } from 'node:stream'
import { ApiError, notDone } from '../../../engine/errors.js'
import { isStoredName } from '../file-name.js'
import { uploadHeaders, uploadsPath } from '../serve.js'
import type { StorageProvider } from '../storage-provider.js'
import { openS3, refusalOf, statusOf, type S3, type S3Options } from './s3-client.js'
import { createPartBuffers } from './part-buffers.js'
import { readContent } from './read-content.js'
import { putInS3 } from './s3-put.js'
import { removeAbandonedUploads } from './s3-unfinished.js'

const minPartBytes = 5 * 1024 ** 2
const maxParts = 10_000

/** Creates the provider for a bucket of S3 or a compatible store. The SDK is loaded on first use. */
export function createS3Provider(options: S3Options): StorageProvider {
  const { bucket, prefix, publicUrl, timeoutMs } = options
  const partSize = Math.max(minPartBytes, Math.ceil(options.sizeLimit / maxParts))
  const openBuffers = createPartBuffers(partSize)
  let opened: Promise<S3> | undefined
  const open = (): Promise<S3> => (opened ??= openS3(options))
  const locate = (name: string) => {
    if (!isStoredName(name)) throw new Error(`Not the name of a stored file: ${name}`)
    return { Bucket: bucket, Key: `${prefix}${name}` }
  }

  return {
    name: 's3',
    put: (name, content, { mime }, signal) =>
      readContent(content, signal, async () => {
        const s3 = await open()
        signal?.throwIfAborted()
        const target = { ...locate(name), ...storedHeaders(name, mime) }
        const buffers = openBuffers()
        try {
          return await putInS3(s3, target, content, buffers, signal)
        } finally {
          buffers.end()
        }
      }),
    stat: async (name) => {
      const s3 = await open()
      const found = await unlessMissing(s3, (options) =>
        s3.client.headObject(locate(name), options),
      )
      if (found === undefined) return undefined
      return { size: found.ContentLength ?? 0, modifiedAt: found.LastModified ?? new Date() }
    },
    open: async (name, range) => {
      const s3 = await open()
      const Range = range && `bytes=${range.start}-${range.end}`
      const found = await unlessMissing(s3, (options) =>
        s3.client.getObject({ ...locate(name), Range }, options),
      )
      if (found === undefined) return undefined
      const body = found.Body
      if (!(body instanceof Readable)) throw notDone('The file storage (S3) sent no content')
      return Readable.from(withReadTimeout(body, timeoutMs), { objectMode: false })
    },
    remove: async (name, signal) => {
      const { client, request } = await open()
      await request((options) => client.deleteObject(locate(name), options), signal)
    },
    url: (name) =>
      publicUrl === undefined ? `${uploadsPath}/${name}` : `${publicUrl}/${prefix}${name}`,
    list: async function* () {
      const { client, request } = await open()
      let ContinuationToken: string | undefined
      do {
        const input = { Bucket: bucket, Prefix: prefix, Delimiter: '/', ContinuationToken }
        const page = await request((options) => client.listObjectsV2(input, options))
        for (const { Key = '', Size = 0, LastModified = new Date() } of page.Contents ?? []) {
          const name = Key.slice(prefix.length)
          if (isStoredName(name)) yield { name, size: Size, modifiedAt: LastModified }
        }
        ContinuationToken = page.IsTruncated === true ? page.NextContinuationToken : undefined
      } while (ContinuationToken !== undefined)
    },
    removeUnfinished: async (olderThanMs, removes = true) =>
      removeAbandonedUploads(await open(), { bucket, prefix, olderThanMs, removes }),
    link: async (name, { contentType, contentDisposition }, expiresAt) => {
      const { sdk, client, getSignedUrl, request } = await open()
      const seconds = Math.floor((expiresAt.getTime() - Date.now()) / 1000)
      const expiresIn = Math.min(Math.max(seconds, 1), maxLinkSeconds)
      const command = new sdk.GetObjectCommand({
        ...locate(name),
        ResponseContentType: contentType,
        // Replaces the stored `Cache-Control`, which allows public caching.
        ResponseCacheControl: `private, max-age=${expiresIn}`,
        ResponseContentDisposition: contentDisposition,
      })
      return request(() => getSignedUrl(client, command, { expiresIn }))
    },
    close: async () => {
      if (opened !== undefined) (await opened).close()
    },
  }
}

/** A week; S3 signs links for no longer. */
const maxLinkSeconds = 604_800

/**
 * Returns the headers to store with the content: those of `GET /uploads/:name`, because clients may read the bucket
 * directly (`publicUrl`).
 */
function storedHeaders(name: string, mime: string) {
  const headers = uploadHeaders(name) ?? {}
  return {
    ContentType: headers['Content-Type'] ?? mime,
    CacheControl: headers['Cache-Control'],
    ContentDisposition: headers['Content-Disposition'],
  }
}

/** Limits the time of each chunk from S3, but not that of a slow reader. */
async function* withReadTimeout(body: Readable, ms: number): AsyncGenerator<Uint8Array> {
  let timer: NodeJS.Timeout | undefined
  const chunks: AsyncIterator<Uint8Array, undefined> = body[Symbol.asyncIterator]()
  try {
    for (;;) {
      timer = setTimeout(() => body.destroy(new Error('S3 stopped responding')), ms)
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

/** Sends a request. Returns undefined if the key does not exist. A missing bucket is an error. */
async function unlessMissing<T>(
  { request }: S3,
  run: Parameters<typeof request<T>>[0],
): Promise<T | undefined> {
  return request(async (options) => {
    try {
      return await run(options)
    } catch (error) {
      const isMissing =
        statusOf(error) === 404 && !(error instanceof Error && error.name === 'NoSuchBucket')
      if (isMissing) return undefined
      throw error
    }
  })
}
