import { existsSync } from 'node:fs'
import { rmdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { refusalOf } from './find-obstacle.js'
import { makeDataFolder } from '../project/make-folder.js'

/**
 * Creates folders and a file as Quire does when it starts, then removes them. Throws the error with which Quire would
 * fail to start.
 */
export async function tryDataFolder(dataDir: string, directory = dataDir): Promise<void> {
  const missing = missingOf(directory)
  try {
    await makeDataFolder(dataDir)
    await makeDataFolder(directory)
    const refusal = await refusalOf(directory)
    if (refusal !== undefined) throw new Error(refusal)
  } finally {
    // `rmdir` fails for a folder that is no longer empty, so such a folder stays.
    for (const path of missing) await rmdir(path).catch(() => undefined)
  }
}

/** Returns the missing folders of a path, deepest first. */
function missingOf(path: string): readonly string[] {
  return existsSync(path) || dirname(path) === path ? [] : [path, ...missingOf(dirname(path))]
}
