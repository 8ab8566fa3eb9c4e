import { open, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { EngineStartError } from '../engine-start-error.js'
import { findLockHolder } from '../lock-holder.js'
import { isOwned } from '../temp-folder.js'
import { writePrivately } from './mongod-files.js'

/**
 * A file in the database's folder, from before its first start until the server was ready once. Nobody can have written
 * content by then: the server accepts nobody but Quire, which writes when it is ready. It holds the path of the private
 * folder of the service that makes the first start.
 */
const markName = 'quire-first-start'
/** It stays where it is, so that two servers never have the folder at a time. */
const lockName = 'mongod.lock'

/**
 * Makes the folder ready for a start. MongoDB may refuse a folder for ever whose first start was cut off ("missing
 * featureCompatibilityVersion document"), so what such a start left is removed. A folder without the mark is not touched.
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
  if ((await findLockHolder(directory)) !== undefined) throw inUse()
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

/** To be called before anything may be written to a server that is ready. */
export async function endFirstStart(directory: string): Promise<void> {
  await rm(join(directory, markName), { force: true })
  const folder = await open(directory, 'r')
  await folder.sync()
  await folder.close()
}
