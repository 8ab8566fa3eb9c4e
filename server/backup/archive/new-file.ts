import { link, open, rename, stat, type FileHandle } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { makeTempFolderIn } from '../../database/temp-folder.js'
import { ArchiveError } from './tar-files.js'

/** A file that is being written: under its name it is there as a whole or not at all. */
export type NewFile = Readonly<{
  /** Where it is until then. */
  path: string
  /** The folder that it is in, for what is needed while it is written. */
  folder: string
  /** Belongs to whoever writes it, and is closed by then. */
  handle: FileHandle
  /**
   * Gives it its name, and takes the folder away; answers its size in bytes. Throws ArchiveError where somebody else's
   * has the name meanwhile.
   */
  finish: () => Promise<number>
  /** Takes away what was written, where it was not finished. */
  discard: () => Promise<void>
}>

/** Whoever may read it may read all that the service has. */
export const ownerOnly = 0o600

/**
 * Begins a file that only its owner may read. What is left of one beside it whose process was killed is removed.
 * @throws ArchiveError where there is such a file, or none can be made
 */
export async function openNewFile(file: string): Promise<NewFile> {
  await refuseThere(file)
  const refuse = (error: unknown): never => {
    throw new ArchiveError(`${file} cannot be written: ${String(error)}`)
  }
  // Of one's own: what is written by two under one name is neither's.
  const { path: folder, remove } = await makeTempFolderIn(dirname(file)).catch(refuse)
  const path = join(folder, 'archive')
  const handle = await open(path, 'wx', ownerOnly).catch(async (error: unknown) => {
    await remove()
    return refuse(error)
  })
  let isFinished = false
  return {
    path,
    folder,
    handle,
    finish: async () => {
      const { size } = await stat(path)
      await giveName(path, file)
      isFinished = true
      await remove()
      return size
    },
    discard: async () => {
      if (!isFinished) await remove()
    },
  }
}

/** Its name at the end, where nobody else's file has it meanwhile. */
async function giveName(unfinished: string, file: string): Promise<void> {
  try {
    // Unlike a renaming, this takes the place of nothing.
    await link(unfinished, file)
  } catch (error) {
    await refuseThere(file)
    if (!isErrorCode(error, noLinks)) throw error
    await rename(unfinished, file)
  }
}

/** Of file systems on which a file has one name. */
const noLinks: ReadonlySet<string> = new Set(['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK'])

const isErrorCode = (error: unknown, codes: ReadonlySet<string>): boolean =>
  error instanceof Error && 'code' in error && codes.has(String(error.code))

async function refuseThere(file: string): Promise<void> {
  const there = await open(file).catch(() => undefined)
  if (there === undefined) return
  await there.close()
  throw new ArchiveError(`${file} is there already`)
}
