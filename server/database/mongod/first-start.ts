import { open, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { findLockHolder } from '../lock-holder.js'

/**
 * A file in the database's folder, from before its first start until the server was ready once. Nobody can have written
 * content by then: the server accepts nobody but Quire, which writes when it is ready.
 */
const markName = 'quire-first-start'
/** It stays where it is, so that two servers never have the folder at a time. */
const lockName = 'mongod.lock'

/**
 * Makes the folder ready for a start. MongoDB may refuse a folder for ever whose first start was cut off ("missing
 * featureCompatibilityVersion document"), so what such a start left is removed. A folder without the mark is not touched.
 */
export async function prepareFirstStart(directory: string, log: Logger): Promise<void> {
  const names = await readdir(directory)
  if (names.length === 0) return writeFile(join(directory, markName), '', { mode: 0o600 })
  const left = names.filter((name) => name !== markName && name !== lockName)
  if (!names.includes(markName) || left.length === 0) return
  // Another service is just making its first start here.
  if ((await findLockHolder(directory)) !== undefined) return
  log.warn({ directory }, 'The first start of MongoDB was cut off; its folder is made anew')
  for (const name of left) await rm(join(directory, name), { recursive: true, force: true })
}

/** To be called before anything may be written to a server that is ready. */
export async function endFirstStart(directory: string): Promise<void> {
  await rm(join(directory, markName), { force: true })
  const folder = await open(directory, 'r')
  await folder.sync()
  await folder.close()
}
