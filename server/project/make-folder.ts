import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Creates a folder and its parents. Throws in a folder such as /proc, where `mkdir` with `recursive` would never
 * return.
 */
export async function makeFolder(path: string, mode?: number): Promise<void> {
  if (await isFolder(path)) return
  const parent = dirname(path)
  if (parent !== path) await makeFolder(parent)
  try {
    await mkdir(path, mode)
  } catch (error) {
    // Another process has created the folder in the meantime.
    if ((error as NodeJS.ErrnoException).code === 'EEXIST' && (await isFolder(path))) return
    throw error
  }
}

/** Creates `DATA_DIR` or a folder below it. Throws an error that says in one line what to do. */
export function makeDataFolder(path: string, mode?: number): Promise<void> {
  return makeFolder(path, mode).catch((error: Error) => {
    throw new Error(
      `DATA_DIR cannot be used: ${error.message}. Set it to a folder that this user can write to.`,
      { cause: error },
    )
  })
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw error
  }
}
