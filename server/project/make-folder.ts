import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Makes a folder and those above it. As `mkdir` with `recursive`, which never ends where a folder refuses new
 * ones by saying that it does not exist itself, as /proc does. Throws what the file system says.
 */
export async function makeFolder(path: string, mode?: number): Promise<void> {
  if (await isFolder(path)) return
  const parent = dirname(path)
  if (parent !== path) await makeFolder(parent)
  try {
    await mkdir(path, mode)
  } catch (error) {
    // Somebody else was faster.
    if ((error as NodeJS.ErrnoException).code === 'EEXIST' && (await isFolder(path))) return
    throw error
  }
}

/** The same of `DATA_DIR`, or a folder below it; throws one line that says what to do. */
export function makeDataFolder(path: string, mode?: number): Promise<void> {
  return makeFolder(path, mode).catch((error: Error) => {
    throw new Error(
      `DATA_DIR cannot be used: ${error.message}. Set it to a folder that this user may write to.`,
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
