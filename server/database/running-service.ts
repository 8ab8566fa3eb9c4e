import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { objectOf } from '../../engine/values/is-object.js'
import { findLockOwner } from './lock-owner.js'
import { writePrivately } from './mongod/mongod-files.js'

type RunningService = Readonly<{ url: string; pid: number }>

const fileIn = (dataDir: string): string => join(dataDir, 'service.json')

/** Records this process's URL for commands, which use the database through the service. */
export async function recordService(dataDir: string, url: string): Promise<void> {
  const engine = await findEngine(dataDir)
  if (engine === undefined) return
  const note = { url, pid: process.pid, engine: engine.command }
  await writePrivately(fileIn(dataDir), `${JSON.stringify(note)}\n`)
}

export const forgetService = (dataDir: string): Promise<void> =>
  rm(fileIn(dataDir), { force: true })

/**
 * Finds the service that uses the database in a `DATA_DIR`; undefined if there is none. A killed service leaves its
 * record, but another process may use the recorded port by now, and must not receive credentials. So a record is valid
 * only while its engine runs as a child of the service. Containers reuse process ids, so the engine's command line must
 * also contain the unique path of the service's private folder.
 */
export async function findService(dataDir: string): Promise<RunningService | undefined> {
  const text = await readFile(fileIn(dataDir), 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  const { url, pid, engine: command } = objectOf(JSON.parse(text))
  if (typeof url !== 'string' || typeof pid !== 'number') return undefined
  const engine = await findEngine(dataDir)
  return engine?.parent === pid && engine.command === command ? { url, pid } : undefined
}

async function findEngine(dataDir: string) {
  return (
    (await findLockOwner(join(dataDir, 'database'))) ??
    (await findLockOwner(join(dataDir, 'mongod', 'data')))
  )
}
