import { open, opendir, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { notDone } from '../../../engine/errors.js'
import { makeFolder } from '../../project/make-folder.js'
import { isStoredName } from '../file-name.js'
import { uploadsPath } from '../serve.js'
import type { StorageProvider, StoredContent } from '../storage-provider.js'
import { folderMarker } from './folder-marker.js'
import { codeOf, sync, unlessMissing } from './on-disk.js'
import { readContent } from './read-content.js'
import { removeUnfinished, unfinishedName } from './unfinished-files.js'

/** Creates the provider that stores files in a local folder, which the first write creates. */
export function createLocalProvider(directory: string): StorageProvider {
  const locate = (name: string): string => {
    if (!isStoredName(name)) throw new Error(`Not the name of a stored file: ${name}`)
    return path.join(directory, name)
  }
  const statContent = async (name: string): Promise<StoredContent | undefined> => {
    const found = await ifThere(() => stat(locate(name)))
    return found?.isFile() === true ? { size: found.size, modifiedAt: found.mtime } : undefined
  }
  return {
    name: 'local',
    put: (name, content, _about, signal) =>
      readContent(content, signal, async () => {
        const target = locate(name)
        const unfinished = path.join(directory, unfinishedName())
        try {
          await onDisk(() => makeFolder(directory))
          const size = await write(unfinished, content)
          signal?.throwIfAborted()
          await onDisk(() => rename(unfinished, target))
          await onDisk(() => sync(directory))
          return size
        } finally {
          await rm(unfinished, { force: true }).catch(() => undefined)
        }
      }),
    stat: statContent,
    open: async (name, range) => {
      const handle = await ifThere(() => open(locate(name)))
      return handle?.createReadStream(range)
    },
    remove: (name) => onDisk(() => rm(locate(name), { force: true })),
    url: (name) => `${uploadsPath}/${name}`,
    list: async function* () {
      const folder = await ifThere(() => opendir(directory))
      for await (const { name } of folder ?? []) {
        // Skip files that were deleted meanwhile.
        const found = isStoredName(name) ? await statContent(name) : undefined
        if (found !== undefined) yield { name, ...found }
      }
    },
    removeUnfinished: (olderThanMs, removes = true) =>
      onDisk(() => removeUnfinished(directory, olderThanMs, removes)),
    marker: folderMarker(directory),
  }
}

/** Writes content to a new file. Reads no faster than the disk accepts it. Returns the number of bytes. */
async function write(target: string, content: Readable): Promise<number> {
  const file = await onDisk(() => open(target, 'wx'))
  let size = 0
  try {
    for await (const chunk of content as AsyncIterable<Uint8Array>) {
      await onDisk(() => file.appendFile(chunk))
      size += chunk.byteLength
    }
    await onDisk(() => file.sync())
    return size
  } finally {
    await file.close()
  }
}

/** Runs a step on the disk. Throws `unavailable` for errors of the disk, because they may be temporary. */
async function onDisk<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    const code = codeOf(error)
    if (code === undefined) throw error
    const what =
      code === 'ENOSPC' || code === 'EDQUOT' ? 'There is no disk space left' : 'The disk fails'
    throw notDone(`${what}: files cannot be stored or read (${code})`)
  }
}

const ifThere = <T>(run: () => Promise<T>): Promise<T | undefined> =>
  onDisk(() => unlessMissing(run))
