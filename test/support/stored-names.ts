import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** Lists the upload folder in a `DATA_DIR`, sorted. Omits the marker file that identifies the folder's database. */
export async function storedNames(dataDir: string): Promise<readonly string[]> {
  const names = await readdir(join(dataDir, 'uploads')).catch((): string[] => [])
  return names.filter((name) => name !== '.quire-uploads').sort()
}
