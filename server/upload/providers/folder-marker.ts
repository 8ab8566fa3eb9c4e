import { constants } from 'node:fs'
import { copyFile, link, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { messageOf } from '../../../engine/errors/message-of.js'
import { createId } from '../../../engine/values/create-id.js'
import { makeFolder } from '../../project/make-folder.js'
import { MarkerError, type StoreMarker } from '../storage-provider.js'
import { codeOf, sync, unlessMissing } from './on-disk.js'
import { unfinishedName } from './unfinished-files.js'

/** Begins with a dot, so the file is neither served nor listed. */
const markerName = '.quire-uploads'
const markerText = /^([a-z][a-z0-9]{23})\n$/

/** Identifies a folder of uploads by a random id in a file. */
export function folderMarker(directory: string): StoreMarker {
  const file = path.join(directory, markerName)
  const read = async (): Promise<string | undefined> => {
    const text = await unlessMissing(() => readFile(file, 'utf8'))
    if (text === undefined) return undefined
    const id = markerText.exec(text)?.[1]
    if (id === undefined)
      throw new Error(`${markerName} there is damaged. Restore it, or delete it`)
    return id
  }
  const make = async () => {
    await makeFolder(directory)
    const whole = path.join(directory, unfinishedName())
    try {
      await writeFile(whole, `${createId()}\n`, { flag: 'wx' })
      await sync(whole)
      await putThere(whole, file)
      await sync(directory)
    } finally {
      await rm(whole, { force: true })
    }
  }
  const readOrMake = async (): Promise<string> => {
    const found = await read()
    if (found !== undefined) return found
    await make()
    // If several calls were concurrent, the file contains the id of the first.
    const made = await read()
    if (made === undefined) throw new Error(`${markerName} disappeared while it was written`)
    return made
  }
  const withReason = <T>(run: () => Promise<T>): Promise<T> =>
    run().catch((error: unknown) => {
      const reason = messageOf(error)
      throw new MarkerError(
        `Quire cannot determine which database the files in ${directory} belong to: ${reason}`,
      )
    })
  return {
    where: directory,
    read: () => withReason(read),
    readOrMake: () => withReason(readOrMake),
  }
}

/** Creates `file` atomically as a copy of `whole`, unless it exists. */
async function putThere(whole: string, file: string): Promise<void> {
  const unlessThere = (error: unknown) => {
    if (codeOf(error) !== 'EEXIST') throw error
  }
  // Some file systems do not support hard links.
  await link(whole, file)
    .catch(() => copyFile(whole, file, constants.COPYFILE_EXCL))
    .catch(unlessThere)
}
