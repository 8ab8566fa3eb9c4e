import { open, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { EngineStartError } from '../engine-start-error.js'
import { findLockOwner } from '../lock-owner.js'
import { isOwned } from '../temp-folder.js'
import { writePrivately } from './mongod-files.js'

/**
 * A file in the database's folder, from before its first start until the server was ready once. The database cannot
 * hold content by then, because the server accepts only Quire, which writes when it is ready. The file holds the path
 * of the private folder of the service that makes the first start.
 */
const markName = 'quire-first-start'
/** This file is never removed, so that two servers cannot use the folder at the same time. */
const lockName = 'mongod.lock'

/**
 * Prepares the folder for a start. MongoDB may permanently reject a folder whose first start was cut off ("missing
 * featureCompatibilityVersion document"), so the remains of such a start are removed. A folder without the mark is not
 * touched.
 * @param ownFolder the private folder of this service
 * @throws EngineStartError while another service makes its first start here: its server writes files before its lock
 * says that it runs
 */
export async function prepareFirstStart(
  directory: string,
  ownFolder: string,
  log: Logger,
): Promise<void> {
  const mark = join(directory, markName)
  const names = await readdir(directory)
  if (names.length === 0)
    return writeFile(mark, ownFolder, { flag: 'wx', mode: 0o600 }).catch(refuseExisting)
  if (!names.includes(markName)) return
  const owner = await readFile(mark, 'utf8')
  if (owner !== ownFolder && (await isOwned(owner))) throw inUse()
  if ((await findLockOwner(directory)) !== undefined) throw inUse()
  const left = names.filter((name) => name !== markName && name !== lockName)
  if (left.length > 0)
    log.warn({ directory }, 'The first start of MongoDB was cut off; its folder is made anew')
  await writePrivately(mark, ownFolder)
  for (const name of left) await rm(join(directory, name), { recursive: true, force: true })
}

const inUse = () =>
  new EngineStartError('in-use', 'another service makes the first start of the database')

function refuseExisting(error: NodeJS.ErrnoException): never {
  throw error.code === 'EEXIST' ? inUse() : error
}

/** Removes the mark. Call it when the server is ready, before anything may be written. */
export async function endFirstStart(directory: string): Promise<void> {
  await rm(join(directory, markName), { force: true })
  const folder = await open(directory, 'r')
  await folder.sync()
  await folder.close()
}
