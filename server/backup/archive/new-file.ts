import { link, open, rename, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { makeTempFolderIn } from '../../database/temp-folder.js'
import { fileErrorReason } from '../../project/file-error.js'
import { ArchiveError } from './tar-files.js'

/** Mode of archives: only the owner may read them, because they contain all data of the service. */
export const ownerOnly = 0o600

/**
 * Creates a file that only its owner may read. The file has a temporary name until it is complete. Also removes
 * unfinished files that killed processes left in the same folder.
 * @throws ArchiveError if a file of this name exists, or the file cannot be created
 */
export async function openNewFile(file: string) {
  await refuseThere(file)
  const refuse = (error: unknown): never => {
    throw new ArchiveError(
      `${file} cannot be written: ${fileErrorReason(error, file) ?? String(error)}`,
    )
  }
  // Use a separate folder, so that two processes that create a file with the same name do not write to the same
  // unfinished file.
  const { path: folder, remove } = await makeTempFolderIn(dirname(file)).catch(refuse)
  const path = join(folder, 'archive')
  const handle = await open(path, 'wx', ownerOnly).catch(async (error: unknown) => {
    await remove()
    return refuse(error)
  })
  let isFinished = false
  return {
    /** Path of the unfinished file. */
    path,
    /** Folder of the unfinished file, for other temporary files. */
    folder,
    /** Handle of the unfinished file. The caller must close it before calling `finish`. */
    handle,
    /**
     * Gives the file its name and removes the folder. Returns the size in bytes. Throws ArchiveError if another file
     * has taken the name.
     */
    finish: async (): Promise<number> => {
      const { size } = await stat(path)
      await giveName(path, file)
      isFinished = true
      await remove()
      return size
    },
    /** Removes the unfinished file. */
    discard: async (): Promise<void> => {
      if (!isFinished) await remove()
    },
  }
}

/** Gives the file its final name, unless another file has taken that name. */
async function giveName(unfinished: string, file: string): Promise<void> {
  try {
    // Unlike a rename, a link never replaces a file.
    await link(unfinished, file)
  } catch (error) {
    await refuseThere(file)
    if (!noLinks.has((error as NodeJS.ErrnoException).code)) throw error
    await rename(unfinished, file)
  }
}

/** Errors of file systems without hard links. */
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
  throw new ArchiveError(`${file} already exists`)
}
