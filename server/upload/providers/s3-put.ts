import type { CompletedPart, PutObjectCommandInput } from '@aws-sdk/client-s3'
import type { Readable } from 'node:stream'
import type { PartBuffers } from './part-buffers.js'
import { eitherOf, type S3 } from './s3-client.js'

/** What is stored, and under which headers. */
type PutTarget = Readonly<
  Pick<PutObjectCommandInput, 'ContentType' | 'CacheControl' | 'ContentDisposition'> & {
    Bucket: string
    Key: string
  }
>

/** Nobody waits longer, in ms, for what failed to be taken back: what is left is found later. */
export const takeBackMs = 2_000

/**
 * Stores what is read: in one request where it is one part, else part by part, of which one is under way while the next
 * is filled. Whole or not at all; answers its bytes. By `signal` it is given up. Throws `unavailable` for what S3 does, and what `content` throws.
 */
export async function putInS3(
  s3: S3,
  target: PutTarget,
  content: Readable,
  buffers: PartBuffers,
  signal?: AbortSignal,
): Promise<number> {
  const { client, ask, send } = s3
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
    const asked = { ...named, UploadId, PartNumber, Body: part.bytes }
    const sent = send((sender, options) => sender.uploadPart(asked, options), ended)
    parts.push({ PartNumber })
    const { ETag } = await sent
    parts[PartNumber - 1] = { PartNumber, ETag }
    buffers.give(part.buffer)
  }
  try {
    for await (const part of inParts(content, buffers)) {
      bytes += part.bytes.byteLength
      if (part.isLast && UploadId === undefined) {
        const asked = { ...target, Body: part.bytes }
        await send((sender, options) => sender.putObject(asked, options), ended)
        buffers.give(part.buffer)
        return bytes
      }
      UploadId ??= (await ask((options) => client.createMultipartUpload(target, options))).UploadId
      await sending
      sending = sendPart(part)
      // Whoever sends slowly is told before the next part is full.
      sending.catch((error: Error) => content.destroy(error))
    }
    await sending
    const asked = { ...named, UploadId, MultipartUpload: { Parts: parts } }
    await ask((options) => client.completeMultipartUpload(asked, options), ended)
    return bytes
  } catch (error) {
    over.abort()
    const waited = AbortSignal.timeout(takeBackMs)
    const upload = { ...named, UploadId }
    if (UploadId !== undefined)
      await ask((options) => client.abortMultipartUpload(upload, options), waited).catch(ignore)
    // Whatever came of it: one that was not answered may have been done.
    await ask((options) => client.deleteObject(named, options), waited).catch(ignore)
    throw error
  }
}

const ignore = () => undefined

/** `buffer` is to be given back when `bytes`, which are in it, were sent. */
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
