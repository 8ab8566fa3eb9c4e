import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { objectOf } from '../../engine/values/is-object.js'
import { findLockOwner } from './lock-owner.js'
import { writePrivately } from './mongod/mongod-files.js'

/** A running service that uses the database in a `DATA_DIR`. */
type RunningService = Readonly<{ url: string; pid: number }>

const fileIn = (dataDir: string): string => join(dataDir, 'service.json')

/**
 * Records the URL at which this process serves its `DATA_DIR`, so that commands can use the database through the
 * service.
 */
export async function recordService(dataDir: string, url: string): Promise<void> {
  const engine = await findEngine(dataDir)
  if (engine === undefined) return
  const note = { url, pid: process.pid, engine: engine.command }
  await writePrivately(fileIn(dataDir), `${JSON.stringify(note)}\n`)
}

export const forgetService = (dataDir: string): Promise<void> =>
  rm(fileIn(dataDir), { force: true })

/**
 * Finds the running service that uses the database in a `DATA_DIR`; undefined if there is none. A killed service leaves
 * its record behind, and by now another process may use the recorded port. That process must not receive the
 * credentials. So a record is valid only while the engine that it names runs as a child of the recorded service.
 * Comparing process ids alone does not suffice, because containers reuse the same ids. So the engine's command line is
 * compared too: it contains the path of the service's private folder, which is unique.
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
