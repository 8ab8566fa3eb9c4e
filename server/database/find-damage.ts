import { createReadStream } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'

/**
 * Which files of a database are not what they must be, with what to do; undefined where none can be told. The
 * engine itself ends without a word. Looked at is how each file begins: it is for a text, not a proof.
 * @param directory the folder of the database's files
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

/** What to do about files that are damaged. */
export const restore = 'Stop the service, and restore the folder from a backup.'

/** What the storage engine needs to know what there is; without them it would begin with an empty database. */
const essential = ['WiredTiger', 'WiredTiger.turtle', 'WiredTiger.wt', '_mdb_catalog.wt']
const mostNamed = 5

const isContent = (name: string): boolean => /^(collection|index)-.*\.wt$/.test(name)
const hasMagic = (name: string): boolean => name.endsWith('.wt')

/** `WT_BLOCK_MAGIC`, as a file's first bytes. */
const magic = Buffer.from([0x41, 0xd8, 0x01, 0x00])

/** Undefined where the file cannot be read, which says nothing about what it holds. */
const firstBytes = (path: string): Promise<Buffer | undefined> =>
  buffer(createReadStream(path, { end: magic.length - 1 })).catch(() => undefined)
