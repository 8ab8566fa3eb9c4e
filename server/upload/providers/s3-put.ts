import type { CompletedPart, PutObjectCommandInput } from '@aws-sdk/client-s3'
import type { Readable } from 'node:stream'
import type { PartBuffers } from './part-buffers.js'
import { eitherOf, type S3 } from './s3-client.js'

type PutTarget = Readonly<
  Pick<PutObjectCommandInput, 'ContentType' | 'CacheControl' | 'ContentDisposition'> & {
    Bucket: string
    Key: string
  }
>

/** Time limit for removing what a failed upload has stored. A sweep removes the rest. */
export const takeBackMs = 2_000

/**
 * Stores content in one request or, if it exceeds one part, as a multipart upload. If that fails or `signal` aborts,
 * nothing stays stored. Returns the number of bytes. Throws `unavailable` for failures of S3, and errors of `content`.
 */
export async function putInS3(
  s3: S3,
  target: PutTarget,
  content: Readable,
  buffers: PartBuffers,
  signal?: AbortSignal,
): Promise<number> {
  const { client, request, send } = s3
  const { Bucket, Key } = target
  const named = { Bucket, Key }
  const over = new AbortController()
  const ended = eitherOf(over.signal, signal)
  const parts: CompletedPart[] = []
  let UploadId: string | undefined
  let sending = Promise.resolve()
  let bytes = 0

  const sendPart = async (part: Part) => {
    const PartNumber = parts.length + 1
    const input = { ...named, UploadId, PartNumber, Body: part.bytes }
    const sent = send((sender, options) => sender.uploadPart(input, options), ended)
    parts.push({ PartNumber })
    const { ETag } = await sent
    parts[PartNumber - 1] = { PartNumber, ETag }
    buffers.give(part.buffer)
  }
  try {
    for await (const part of inParts(content, buffers)) {
      bytes += part.bytes.byteLength
      if (part.isLast && UploadId === undefined) {
        const input = { ...target, Body: part.bytes }
        await send((sender, options) => sender.putObject(input, options), ended)
        buffers.give(part.buffer)
        return bytes
      }
      UploadId ??= (await request((options) => client.createMultipartUpload(target, options)))
        .UploadId
      await sending
      sending = sendPart(part)
      // If a part fails, stop reading `content` at once, even if it is slow.
      sending.catch((error: Error) => content.destroy(error))
    }
    await sending
    const input = { ...named, UploadId, MultipartUpload: { Parts: parts } }
    await request((options) => client.completeMultipartUpload(input, options), ended)
    return bytes
  } catch (error) {
    over.abort()
    const waited = AbortSignal.timeout(takeBackMs)
    const upload = { ...named, UploadId }
    if (UploadId !== undefined)
      await request((options) => client.abortMultipartUpload(upload, options), waited).catch(ignore)
    // A request without a response may have succeeded, so delete in any case.
    await request((options) => client.deleteObject(named, options), waited).catch(ignore)
    throw error
  }
}

const ignore = () => undefined

/** `bytes` is the filled piece of `buffer`. After sending, pass `buffer` to `buffers.give`. */
type Part = Readonly<{ buffer: Buffer; bytes: Buffer; isLast: boolean }>

async function* inParts(content: Readable, buffers: PartBuffers): AsyncGenerator<Part> {
  let buffer = buffers.take()
  let filled = 0
  for await (const read of content as AsyncIterable<Uint8Array | string>) {
    const chunk = typeof read === 'string' ? Buffer.from(read) : read
    for (let at = 0; at < chunk.byteLength;) {
      if (filled === buffer.byteLength) {
        yield { buffer, bytes: buffer, isLast: false }
        buffer = buffers.take()
        filled = 0
      }
      const length = Math.min(chunk.byteLength - at, buffer.byteLength - filled)
      buffer.set(chunk.subarray(at, at + length), filled)
      filled += length
      at += length
    }
  }
  yield { buffer, bytes: buffer.subarray(0, filled), isLast: true }
}
