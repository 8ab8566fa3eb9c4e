import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Returns the sorted names of the files in the upload folder of a `DATA_DIR`. Omits the marker file, which identifies
 * the database that the folder belongs to.
 */
export async function storedNames(dataDir: string): Promise<readonly string[]> {
  const names = await readdir(join(dataDir, 'uploads')).catch((): string[] => [])
  return names.filter((name) => name !== '.quire-uploads').sort()
}
