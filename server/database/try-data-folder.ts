import { existsSync } from 'node:fs'
import { rmdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { refusalOf } from './find-obstacle.js'
import { makeDataFolder } from '../project/make-folder.js'

/**
 * Creates `DATA_DIR` and the database's folder below it in the same way as a start, and writes to the folder. Then
 * removes the created files and folders. Throws the error that the start would throw.
 */
export async function tryDataFolder(dataDir: string, directory = dataDir): Promise<void> {
  const missing = missingOf(directory)
  try {
    await makeDataFolder(dataDir)
    await makeDataFolder(directory)
    const refusal = await refusalOf(directory)
    if (refusal !== undefined) throw new Error(refusal)
  } finally {
    // Keep a folder that is not empty any more.
    for (const path of missing) await rmdir(path).catch(() => undefined)
  }
}

/** Returns the missing folders of a path, the deepest first. */
function missingOf(path: string): readonly string[] {
  return existsSync(path) || dirname(path) === path ? [] : [path, ...missingOf(dirname(path))]
}
