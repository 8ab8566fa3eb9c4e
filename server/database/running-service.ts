import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { objectOf } from '../../engine/values/is-object.js'
import { findLockHolder } from './lock-holder.js'
import { writePrivately } from './mongod/mongod-files.js'

/** A service that has the database of a `DATA_DIR`. */
type RunningService = Readonly<{ url: string; pid: number }>

const fileIn = (dataDir: string): string => join(dataDir, 'service.json')

/** Notes where this process serves the database of its `DATA_DIR`. Commands that need that database ask it there. */
export const noteService = (dataDir: string, url: string): Promise<void> =>
  writePrivately(fileIn(dataDir), `${JSON.stringify({ url, pid: process.pid })}\n`)

export const forgetService = (dataDir: string): Promise<void> =>
  rm(fileIn(dataDir), { force: true })

/**
 * Finds the service that has the database of a `DATA_DIR`. Undefined where none has: a note that was left behind counts
 * only while the database is a child of the process that wrote it, so that nobody else's port gets the credentials.
 */
export async function findService(dataDir: string): Promise<RunningService | undefined> {
  const text = await readFile(fileIn(dataDir), 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  const { url, pid } = objectOf(JSON.parse(text))
  if (typeof url !== 'string' || typeof pid !== 'number') return undefined
  for (const directory of ['database', join('mongod', 'data')]) {
    const holder = await findLockHolder(join(dataDir, directory))
    if (holder?.parent === pid) return { url, pid }
  }
  return undefined
}
