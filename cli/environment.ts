import { readEnvFile } from '../server/settings/env-file.js'

const fromFile = new Set<string>()

/** Loads the `.env` of this folder into the environment of this process. Throws if the file cannot be read. */
export function loadEnvFile(): void {
  for (const name of readEnvFile()) fromFile.add(name)
}

/**
 * Returns the original environment of this process, for a child process that reads `.env` itself, perhaps after a
 * change.
 */
export const givenEnvironment = (): Readonly<Record<string, string | undefined>> =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !fromFile.has(name)))
