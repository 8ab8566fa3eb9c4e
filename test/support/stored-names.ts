import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** Returns the sorted names of the stored files. Omits the marker file, which identifies the database. */
export async function storedNames(dataDir: string): Promise<readonly string[]> {
  const names = await readdir(join(dataDir, 'uploads')).catch((): string[] => [])
  return names.filter((name) => name !== '.quire-uploads').sort()
}
