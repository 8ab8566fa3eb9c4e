import { randomUUID } from 'node:crypto'
import { lstat, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { unlessMissing } from './on-disk.js'

/** Returns a temporary name, which begins with a dot so that the file is never served. */
export const unfinishedName = (): string => `.${randomUUID()}`

const ours = /^\.[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/**
 * Removes temporary files that were not written to for `olderThanMs`. Newer ones may belong to another service.
 * @param removes whether to delete the files, or only count them
 * @returns the number of files
 */
export async function removeUnfinished(
  directory: string,
  olderThanMs: number,
  removes: boolean,
): Promise<number> {
  let count = 0
  // Before the first upload, the folder does not exist.
  for (const name of (await unlessMissing(() => readdir(directory))) ?? []) {
    const path = join(directory, name)
    if (!ours.test(name) || !(await isAbandoned(path, olderThanMs))) continue
    if (removes) await rm(path, { force: true })
    count += 1
  }
  return count
}

/** Whether a file was not written to for this time; false if it was renamed or deleted meanwhile. */
async function isAbandoned(path: string, olderThanMs: number): Promise<boolean> {
  const stats = await lstat(path).catch(() => undefined)
  return stats?.isFile() === true && Date.now() - stats.mtimeMs >= olderThanMs
}
