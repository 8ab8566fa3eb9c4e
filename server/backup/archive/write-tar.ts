import { createHash } from 'node:crypto'
import { Readable, type Transform, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { pack as createPack } from 'tar-stream'
import { formOf, packingOf } from './compression.js'
import { openNewFile, ownerOnly } from './new-file.js'
import { hashing } from './tar-files.js'

/** A file of a tar, as it was written. */
export type WrittenFile = Readonly<{
  name: string
  size: number
  /** Of its content. */
  sha256: string
}>

/** A tar that is being written, file by file. */
export type TarWriter = ReturnType<typeof writeTar>

/**
 * Begins a tar, packed as its name says. Under its name it is there as a whole or not at all.
 * @throws ArchiveError where there is such a file, or none can be made
 */
export async function createTar(file: string) {
  const packing = packingOf(formOf(file))
  const created = await openNewFile(file)
  const tar = writeTar(created.handle.createWriteStream({ flush: true }), packing)
  return {
    /** Where it is until then, with what is needed to write it. */
    folder: created.folder,
    add: tar.add,
    /** Writes the end, and gives the tar its name when all of it is on the disk; answers its size. */
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
 * Begins a tar that goes to `target`.
 * @param packing what its bytes go through on their way
 */
export function writeTar(target: Writable, packing: readonly Transform[]) {
  const pack = createPack()
  const flow = pipeline([Readable.from(pack, { objectMode: false }), ...packing, target])
  let isFinished = false
  // It is told by whoever writes next.
  flow.catch((error: unknown) => pack.destroy(error instanceof Error ? error : undefined))
  return {
    /** @param size of the content, in bytes; what has another size ends it all */
    add: async (name: string, size: number, content: Buffer | Readable): Promise<WrittenFile> => {
      const hash = createHash('sha256')
      const source = Buffer.isBuffer(content) ? Readable.from([content]) : content
      // A tar says of each file when it was written; the archive says it once.
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
    /** Writes the end; resolves when all of it was taken over. */
    finish: async (): Promise<void> => {
      pack.finalize()
      await flow
      isFinished = true
    },
    /** Ends it where it is. */
    discard: async (): Promise<void> => {
      if (isFinished) return
      pack.destroy()
      await flow.catch(() => undefined)
    },
  }
}
