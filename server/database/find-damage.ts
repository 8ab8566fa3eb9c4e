import { createReadStream } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'

/**
 * Checks the first bytes of each database file, because the engine exits without a message if files are damaged.
 * Returns a message with advice; undefined if no damage is found.
 */
export async function findDamage(directory: string): Promise<string | undefined> {
  const names = await readdir(directory).catch((): string[] => [])
  const damaged: string[] = []
  for (const name of names.filter(hasMagic))
    if ((await firstBytes(join(directory, name)))?.equals(magic) === false) damaged.push(name)
  if (names.some(isContent)) damaged.push(...essential.filter((name) => !names.includes(name)))
  for (const name of essential.filter((one) => names.includes(one) && !hasMagic(one)))
    if ((await firstBytes(join(directory, name)))?.length === 0) damaged.push(name)
  if (damaged.length === 0) return undefined
  const more = damaged.length > mostNamed ? ` and ${damaged.length - mostNamed} more` : ''
  const list = damaged.slice(0, mostNamed).join(', ')
  return `Files of the database in ${directory} are damaged or missing: ${list}${more}. ${restore}`
}

/** Advice about damaged files. */
export const restore = 'Stop the service, and restore the folder from a backup.'

/** Names of the database's catalog files. Without them, the engine would start with an empty database. */
const essential = ['WiredTiger', 'WiredTiger.turtle', 'WiredTiger.wt', '_mdb_catalog.wt']
const mostNamed = 5

const isContent = (name: string): boolean => /^(collection|index)-.*\.wt$/.test(name)
const hasMagic = (name: string): boolean => name.endsWith('.wt')

/** `WT_BLOCK_MAGIC`, a file's first bytes */
const magic = Buffer.from([0x41, 0xd8, 0x01, 0x00])

/**
 * Reads the first bytes of a file. Returns undefined if the file is unreadable, which does not mean that it is damaged.
 */
const firstBytes = (path: string): Promise<Buffer | undefined> =>
  buffer(createReadStream(path, { end: magic.length - 1 })).catch(() => undefined)
