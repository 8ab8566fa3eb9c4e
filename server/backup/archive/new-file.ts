import { link, open, rename, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { makeTempFolderIn } from '../../database/temp-folder.js'
import { fileErrorReason } from '../../project/file-error.js'
import { ArchiveError } from './tar-files.js'

/** Archives contain all data of the service, so only the owner may read them. */
export const ownerOnly = 0o600

/**
 * Creates a file for its owner only, under a temporary name until it is complete. Removes unfinished files of killed
 * processes from the folder. Throws ArchiveError if the file exists or cannot be created.
 */
export async function openNewFile(file: string) {
  await refuseThere(file)
  const refuse = (error: unknown): never => {
    throw new ArchiveError(
      `${file} cannot be written: ${fileErrorReason(error, file) ?? String(error)}`,
    )
  }
  // Two processes that create the same file must not write to the same unfinished file.
  const { path: folder, remove } = await makeTempFolderIn(dirname(file)).catch(refuse)
  const path = join(folder, 'archive')
  const handle = await open(path, 'wx', ownerOnly).catch(async (error: unknown) => {
    await remove()
    return refuse(error)
  })
  let isFinished = false
  return {
    path,
    /** Folder for other temporary files of the caller. */
    folder,
    /** Close it before calling `finish`. */
    handle,
    /** Gives the file its name. Returns the size in bytes. Throws ArchiveError if the name has been taken. */
    finish: async (): Promise<number> => {
      const { size } = await stat(path)
      await giveName(path, file)
      isFinished = true
      await remove()
      return size
    },
    discard: async (): Promise<void> => {
      if (!isFinished) await remove()
    },
  }
}

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
