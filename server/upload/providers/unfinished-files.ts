import { randomUUID } from 'node:crypto'
import { lstat, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { unlessMissing } from './on-disk.js'

/** What a file is called in the folder of stored files until it is whole: it begins with a dot, so it is never served. */
export const unfinishedName = (): string => `.${randomUUID()}`

const ours = /^\.[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/**
 * Removes files of such names that were not written to for so long; other services may have the same folder.
 * @param removes whether they go, or are counted alone
 * @returns how many there were
 */
export async function removeUnfinished(
  directory: string,
  olderThanMs: number,
  removes: boolean,
): Promise<number> {
  let count = 0
  // The first upload makes the folder.
  for (const name of (await unlessMissing(() => readdir(directory))) ?? []) {
    const path = join(directory, name)
    if (!ours.test(name) || !(await isAbandoned(path, olderThanMs))) continue
    if (removes) await rm(path, { force: true })
    count += 1
  }
  return count
}

/** Whose writer has just given it its name is not there any more. */
async function isAbandoned(path: string, olderThanMs: number): Promise<boolean> {
  const stats = await lstat(path).catch(() => undefined)
  return stats?.isFile() === true && Date.now() - stats.mtimeMs >= olderThanMs
}
