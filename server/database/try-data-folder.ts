import { existsSync } from 'node:fs'
import { rmdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { refusalOf } from './find-obstacle.js'
import { makeDataFolder } from '../project/make-folder.js'

/**
 * Makes `DATA_DIR` and the folder of the database below it as a start does, and writes there; what was made is removed
 * again. Throws what the start would say.
 */
export async function tryDataFolder(dataDir: string, directory = dataDir): Promise<void> {
  const missing = missingOf(directory)
  try {
    await makeDataFolder(dataDir)
    await makeDataFolder(directory)
    const refusal = await refusalOf(directory)
    if (refusal !== undefined) throw new Error(refusal)
  } finally {
    // A folder that is not empty any more stays.
    for (const path of missing) await rmdir(path).catch(() => undefined)
  }
}

/** The folders of a path that are not there, the deepest first. */
function missingOf(path: string): readonly string[] {
  return existsSync(path) || dirname(path) === path ? [] : [path, ...missingOf(dirname(path))]
}
