import { closeSync, openSync, readSync } from 'node:fs'
import { resolve } from 'node:path'
import { variableOf, type Environment } from './read-settings.js'
import type { Setting } from './setting-kinds.js'
import { settingsTable } from './settings.js'
import { secretVariables } from './variables.js'

const secretNames: readonly string[] = [
  ...secretVariables,
  ...Object.entries<Setting>(settingsTable).flatMap(([name, setting]) =>
    setting.secret === true ? [variableOf(name)] : [],
  ),
]

/** Variables with the path of a file that contains a secret, such as `JWT_SECRET_FILE`. */
export const secretFileVariables: readonly string[] = secretNames.map((name) => `${name}_FILE`)

/**
 * Returns the environment in which each secret's `<NAME>_FILE` is replaced by `<NAME>` with the contents of that file,
 * without a final line break. Adds errors, without contents, to `problems`. Files are safer, because the environment is
 * visible to `docker inspect` and child processes.
 */
export function readSecretFiles(env: Environment, folder: string, problems: string[]): Environment {
  const read: Record<string, string | undefined> = { ...env }
  for (const name of secretNames) {
    const variable = `${name}_FILE`
    const path = env[variable] || undefined
    // Remove `<NAME>_FILE`, which the check for misspelt variables would report.
    Reflect.deleteProperty(read, variable)
    if (path === undefined) continue
    if (env[name]) problems.push(`${name} and ${variable} are both set; set only one of them`)
    else read[name] = readSecret(resolve(folder, path), variable, problems)
  }
  return read
}

/** Larger than any secret; keeps `/dev/zero` from filling the memory. */
const maxBytes = 65_536

function readSecret(path: string, variable: string, problems: string[]): string | undefined {
  try {
    const bytes = readBeginning(path)
    const text = bytes.toString('utf8').replace(/\r?\n$/, '')
    if (bytes.length > maxBytes) problems.push(`${variable}: ${path} has more than 64 KB`)
    else if (text === '') problems.push(`${variable}: ${path} is empty`)
    else return text
  } catch (error) {
    problems.push(`${variable} cannot be read: ${(error as Error).message}`)
  }
  return undefined
}

function readBeginning(path: string): Buffer {
  const file = openSync(path, 'r')
  try {
    const buffer = Buffer.alloc(maxBytes + 1)
    let length = 0
    for (;;) {
      const count = readSync(file, buffer, length, buffer.length - length, null)
      length += count
      if (count === 0 || length === buffer.length) return buffer.subarray(0, length)
    }
  } finally {
    closeSync(file)
  }
}
