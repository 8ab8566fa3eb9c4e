import type { Hash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { extract as createExtract } from 'tar-stream'
import { messageOf } from '../../../engine/errors/message-of.js'
import { fileErrorReason } from '../../project/file-error.js'
import { readStart } from '../../upload/providers/on-disk.js'

/** A file in an archive: `entities/entities_00001.jsonl`. Unread content is skipped. */
export type ArchiveFile = Readonly<{ name: string; size: number; content: Readable }>

/** A problem with an archive. Its message is shown to the user of the command. */
export class ArchiveError extends Error {
  override name = 'ArchiveError'
}

/** Reads 1024 bytes: the first header of a tar and one more block. */
export const startOf = (file: string): Promise<Buffer> =>
  readStart(file, 1024).catch((error: unknown) => {
    throw new ArchiveError(
      `${file} cannot be read: ${fileErrorReason(error, file) ?? messageOf(error)}`,
    )
  })

type Form = Readonly<{
  /** Decompresses the file to a tar. */
  unpack: readonly Transform[]
  /** Hashes the compressed file. The hash is complete only when the archive has been read to its end. */
  hash?: Hash | undefined
}>

/**
 * Yields the files of a tar, but no links or folders. Read each file before requesting the next: unread content is
 * skipped. Throws ArchiveError if the archive is damaged or truncated.
 */
export async function* tarFilesOf(
  file: string,
  { unpack, hash }: Form,
): AsyncGenerator<ArchiveFile> {
  const extract = createExtract()
  const source = createReadStream(file)
  const flow = pipeline([source, ...(hash ? [hashing(hash)] : []), ...unpack, extract])
  // If the caller stops reading early, the pipeline fails, which is ignored. `await flow` below throws other errors.
  flow.catch(() => undefined)
  try {
    for await (const entry of extract) {
      const { name, size = 0, type } = entry.header
      if (type === 'file') {
        const chunks = nameErrors(file, entry as AsyncIterable<Uint8Array>)
        const content = Readable.from(chunks, { objectMode: false })
        yield { name: name.replace(/^(?:\.\/)+/, ''), size, content }
      }
      // Skip the rest of the file. Destroying the entry would end the reading of the archive.
      entry.resume()
    }
    await flow
  } catch (error) {
    throw damaged(file, error)
  } finally {
    source.destroy()
    extract.destroy()
  }
}

/** If reading fails, throws an error that names the archive (`file`). */
async function* nameErrors(
  file: string,
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  try {
    yield* chunks
  } catch (error) {
    throw damaged(file, error)
  }
}

const damaged = (file: string, error: unknown): ArchiveError =>
  error instanceof ArchiveError
    ? error
    : new ArchiveError(`${file} is damaged or cut off: ${messageOf(error)}`)

/** Passes bytes on and hashes them. */
export const hashing = (hash: Hash): Transform =>
  new Transform({
    transform: (chunk: Uint8Array, _encoding, done) => {
      hash.update(chunk)
      done(null, chunk)
    },
  })
