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
  /** Hexadecimal SHA-256 of the content. */
  sha256: string
}>

/** A tar that is being written. */
export type TarWriter = ReturnType<typeof writeTar>

/**
 * Creates a tar, compressed according to its extension, under a temporary name until it is complete. Throws
 * ArchiveError if the file exists or cannot be created.
 */
export async function createTar(file: string) {
  const packing = packingOf(formOf(file))
  const created = await openNewFile(file)
  const tar = writeTar(created.handle.createWriteStream({ flush: true }), packing)
  return {
    /** Folder for temporary files while the tar is written. */
    folder: created.folder,
    add: tar.add,
    /** Gives the file its name when the whole tar is on disk. Returns its size in bytes. */
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

/** Starts a tar that is compressed by `packing` and written to `target`. */
export function writeTar(target: Writable, packing: readonly Transform[]) {
  const pack = createPack()
  const flow = pipeline([Readable.from(pack, { objectMode: false }), ...packing, target])
  let isFinished = false
  // Destroy the tar, so that the next `add` throws the error.
  flow.catch((error: unknown) => pack.destroy(error instanceof Error ? error : undefined))
  return {
    /** Adds a file. Content that is not `size` bytes long destroys the tar. */
    add: async (name: string, size: number, content: Buffer | Readable): Promise<WrittenFile> => {
      const hash = createHash('sha256')
      const source = Buffer.isBuffer(content) ? Readable.from([content]) : content
      // A tar requires a date for each file. Use a constant one: the archive's own date is in its manifest.
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
    /** Resolves when the whole tar has been written to `target`. */
    finish: async (): Promise<void> => {
      pack.finalize()
      await flow
      isFinished = true
    },
    discard: async (): Promise<void> => {
      if (isFinished) return
      pack.destroy()
      await flow.catch(() => undefined)
    },
  }
}
