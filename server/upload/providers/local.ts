import { copyFile, mkdir, open, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { isStoredName } from '../file-name.js'
import { uploadsPath } from '../serve.js'
import type { StorageProvider } from '../storage-provider.js'
import { unfinishedName } from './sweep-unfinished.js'

/** Keeps files in one directory of this machine, made on the first write. */
export function createLocalProvider(directory: string): StorageProvider {
  const locate = (name: string): string => {
    if (!isStoredName(name)) throw new Error(`Not the name of a stored file: ${name}`)
    return path.join(directory, name)
  }
  return {
    name: 'local',
    put: async (name, sourcePath) => {
      const target = locate(name)
      const unfinished = path.join(directory, unfinishedName())
      await mkdir(directory, { recursive: true })
      try {
        await copyFile(sourcePath, unfinished)
        await sync(unfinished)
        await rename(unfinished, target)
        await sync(directory)
      } finally {
        await rm(unfinished, { force: true })
      }
    },
    open: async (name) => {
      try {
        return (await open(locate(name))).createReadStream()
      } catch (error) {
        if (isMissing(error)) return undefined
        throw error
      }
    },
    remove: (name) => rm(locate(name), { force: true }),
    url: (name) => `${uploadsPath}/${name}`,
  }
}

/** A file that was acknowledged survives the loss of power. */
async function sync(target: string): Promise<void> {
  const handle = await open(target)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT'
