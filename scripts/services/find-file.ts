import { readdir } from 'node:fs/promises'
import path from 'node:path'

/** Finds a file below a folder by the end of its path, such as `bin/mongod`. */
export async function findFile(folder: string, end: string): Promise<string | undefined> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  const files = entries.filter((entry) => entry.isFile())
  return files
    .map(({ parentPath, name }) => path.join(parentPath, name))
    .find((it) => it.endsWith(end))
}
