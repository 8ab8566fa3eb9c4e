import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** What is in the folder of uploads below a `DATA_DIR`, in order, but for the marker that tells whose it is. */
export async function storedNames(dataDir: string): Promise<readonly string[]> {
  const names = await readdir(join(dataDir, 'uploads')).catch((): string[] => [])
  return names.filter((name) => name !== '.quire-uploads').sort()
}
