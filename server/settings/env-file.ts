import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'

/**
 * Takes the variables of a folder's file `.env` into an environment, but those that it has: what was given to the
 * process counts. The file need not be there.
 * @returns the names that were taken
 * Throws where it is there and cannot be read, in a sentence for whoever starts the process.
 */
export function readEnvFile(
  folder: string = process.cwd(),
  environment: Record<string, string | undefined> = process.env,
): readonly string[] {
  const path = join(folder, '.env')
  const text = read(path)
  if (text === undefined) return []
  const taken = Object.entries(parseEnv(text)).filter(([name]) => environment[name] === undefined)
  Object.assign(environment, Object.fromEntries(taken))
  return taken.map(([name]) => name)
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new Error(`${path} cannot be read: ${(error as Error).message}`, { cause: error })
  }
}
