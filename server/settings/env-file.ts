import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'

/**
 * Adds the variables of a folder's `.env`, if any, without changing those already set.
 * @returns the names of the added variables
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
