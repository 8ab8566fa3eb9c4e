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
  /** SHA-256 of the content, as hexadecimal digits. */
  sha256: string
}>

/** A tar that is being written, file by file. */
export type TarWriter = ReturnType<typeof writeTar>

/**
 * Creates a tar, compressed according to its extension. The file has a temporary name until it is complete.
 * @throws ArchiveError if a file of this name exists, or the file cannot be created
 */
export async function createTar(file: string) {
  const packing = packingOf(formOf(file))
  const created = await openNewFile(file)
  const tar = writeTar(created.handle.createWriteStream({ flush: true }), packing)
  return {
    /** Folder for temporary files while the tar is written. */
    folder: created.folder,
    add: tar.add,
    /** Ends the tar. When the whole tar is on disk, gives the file its name. Returns the size of the file in bytes. */
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
 * Starts a tar that is written to `target`.
 * @param packing streams that compress the tar
 */
export function writeTar(target: Writable, packing: readonly Transform[]) {
  const pack = createPack()
  const flow = pipeline([Readable.from(pack, { objectMode: false }), ...packing, target])
  let isFinished = false
  // Destroy the tar, so that the next `add` throws the error.
  flow.catch((error: unknown) => pack.destroy(error instanceof Error ? error : undefined))
  return {
    /**
     * Adds a file.
     * @param size of the content in bytes; content of another size destroys the tar
     */
    add: async (name: string, size: number, content: Buffer | Readable): Promise<WrittenFile> => {
      const hash = createHash('sha256')
      const source = Buffer.isBuffer(content) ? Readable.from([content]) : content
      // A tar requires a date for each file. Use a constant date: the archive's own date is in its manifest.
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
    /** Ends the tar. Resolves when the whole tar has been written to `target`. */
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
