import type { Hash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { extract as createExtract } from 'tar-stream'
import { fileErrorReason } from '../../project/file-error.js'
import { readStart } from '../../upload/providers/on-disk.js'

/** A file of an archive: `entities/entities_00001.jsonl`. Its content is read to the end, or passed over. */
export type ArchiveFile = Readonly<{ name: string; size: number; content: Readable }>

/** What is wrong with an archive, for whoever runs the command. */
export class ArchiveError extends Error {
  override name = 'ArchiveError'
}

/**
 * The first bytes of a file: the first header of a tar, and one block more.
 * @throws ArchiveError where it cannot be read
 */
export const startOf = (file: string): Promise<Buffer> =>
  readStart(file, 1024).catch((error: unknown) => {
    throw new ArchiveError(
      `${file} cannot be read: ${fileErrorReason(error, file) ?? messageOf(error)}`,
    )
  })

type Form = Readonly<{
  /** What its bytes go through until they are a tar, one after the other. */
  unpack: readonly Transform[]
  /** Gets the bytes of the archive itself, all of them where it is gone through to the end. */
  hash?: Hash | undefined
}>

/**
 * The files of a tar, in their order; each has to be read before the next one comes, and what is left of it is passed
 * over. Links, folders and the like are no files.
 * @throws ArchiveError where it is damaged or cut off
 */
export async function* tarFilesOf(
  file: string,
  { unpack, hash }: Form,
): AsyncGenerator<ArchiveFile> {
  const extract = createExtract()
  const source = createReadStream(file)
  const flow = pipeline([source, ...(hash ? [hashing(hash)] : []), ...unpack, extract])
  // It is told below; where it is left half way it fails on purpose.
  flow.catch(() => undefined)
  try {
    for await (const entry of extract) {
      const { name, size = 0, type } = entry.header
      if (type === 'file') {
        const chunks = told(file, entry as AsyncIterable<Uint8Array>)
        const content = Readable.from(chunks, { objectMode: false })
        yield { name: name.replace(/^(?:\.\/)+/, ''), size, content }
      }
      // Destroying an entry would end the archive.
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

/** Whoever reads the content is told of the archive. */
async function* told(file: string, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
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

/** Passes bytes on, and hashes them. */
export const hashing = (hash: Hash): Transform =>
  new Transform({
    transform: (chunk: Uint8Array, _encoding, done) => {
      hash.update(chunk)
      done(null, chunk)
    },
  })

const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error)
