import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** Lists the upload folder below a `DATA_DIR`, sorted, without the marker file that identifies its service. */
export async function storedNames(dataDir: string): Promise<readonly string[]> {
  const names = await readdir(join(dataDir, 'uploads')).catch((): string[] => [])
  return names.filter((name) => name !== '.quire-uploads').sort()
}
