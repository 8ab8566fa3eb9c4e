import { createHash } from 'node:crypto'
import { Readable, type Transform, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { pack as createPack } from 'tar-stream'
import { formOf, packingOf } from './compression.js'
import { openNewFile, ownerOnly } from './new-file.js'
import { hashing } from './tar-files.js'

/** A file that was written into a tar. */
export type WrittenFile = Readonly<{
  name: string
  size: number
  /** Of its content. */
  sha256: string
}>

/** A tar that is being written, file by file. */
export type TarWriter = ReturnType<typeof writeTar>

/**
 * Creates a tar, compressed according to its name. The file gets its name only when it is complete.
 * @throws ArchiveError if the file exists or cannot be created
 */
export async function createTar(file: string) {
  const packing = packingOf(formOf(file))
  const created = await openNewFile(file)
  const tar = writeTar(created.handle.createWriteStream({ flush: true }), packing)
  return {
    /** Folder for temporary files while the tar is written. */
    folder: created.folder,
    add: tar.add,
    /** Ends the tar. Gives it its name when all of it is on disk. Returns its size. */
    finish: async (): Promise<number> => {
      await tar.finish()
      return created.finish()
    },
    discard: async (): Promise<void> => {
      await tar.discard()
      await created.discard()
    },
  }
}

/**
 * Begins a tar that is written to `target`.
 * @param packing streams that compress it
 */
export function writeTar(target: Writable, packing: readonly Transform[]) {
  const pack = createPack()
  const flow = pipeline([Readable.from(pack, { objectMode: false }), ...packing, target])
  let isFinished = false
  // The next write throws the error.
  flow.catch((error: unknown) => pack.destroy(error instanceof Error ? error : undefined))
  return {
    /** @param size of the content, in bytes; content of another size destroys the tar */
    add: async (name: string, size: number, content: Buffer | Readable): Promise<WrittenFile> => {
      const hash = createHash('sha256')
      const source = Buffer.isBuffer(content) ? Readable.from([content]) : content
      // A tar needs a date for each file, but the archive states its date once.
      const entry = pack.entry({ name, size, mtime: new Date(0), mode: ownerOnly })
      try {
        await pipeline(source, hashing(hash), entry)
      } catch (error) {
        pack.destroy()
        await flow
        throw error
      }
      return { name, size, sha256: hash.digest('hex') }
    },
    /** Ends the tar. Resolves when `target` has taken all of it. */
    finish: async (): Promise<void> => {
      pack.finalize()
      await flow
      isFinished = true
    },
    /** Aborts the tar. */
    discard: async (): Promise<void> => {
      if (isFinished) return
      pack.destroy()
      await flow.catch(() => undefined)
    },
  }
}
