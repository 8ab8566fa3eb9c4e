import { link, open, rename, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { makeTempFolderIn } from '../../database/temp-folder.js'
import { fileErrorReason } from '../../project/file-error.js'
import { ArchiveError } from './tar-files.js'

/** Whoever may read it may read all that the service has. */
export const ownerOnly = 0o600

/**
 * Begins a file that only its owner may read; under its name it is there as a whole or not at all. What is left of one
 * beside it whose process was killed is removed.
 * @throws ArchiveError where there is such a file, or none can be made
 */
export async function openNewFile(file: string) {
  await refuseThere(file)
  const refuse = (error: unknown): never => {
    throw new ArchiveError(
      `${file} cannot be written: ${fileErrorReason(error, file) ?? String(error)}`,
    )
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
    /** Where it is until then. */
    path,
    /** The folder that it is in, for what is needed while it is written. */
    folder,
    /** Belongs to whoever writes it, and is closed by then. */
    handle,
    /**
     * Gives it its name, and takes the folder away; answers its size in bytes. Throws ArchiveError where somebody else's
     * has the name meanwhile.
     */
    finish: async (): Promise<number> => {
      const { size } = await stat(path)
      await giveName(path, file)
      isFinished = true
      await remove()
      return size
    },
    /** Takes away what was written, where it was not finished. */
    discard: async (): Promise<void> => {
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
    if (!noLinks.has((error as NodeJS.ErrnoException).code)) throw error
    await rename(unfinished, file)
  }
}

/** Of file systems on which a file has one name. */
const noLinks: ReadonlySet<string | undefined> = new Set([
  'EPERM',
  'ENOSYS',
  'ENOTSUP',
  'EOPNOTSUPP',
  'EMLINK',
])

async function refuseThere(file: string): Promise<void> {
  const there = await open(file).catch(() => undefined)
  if (there === undefined) return
  await there.close()
  throw new ArchiveError(`${file} is there already`)
}
