import { readEnvFile } from '../server/settings/env-file.js'

const fromFile = new Set<string>()

/**
 * Loads the `.env` file of the working directory into the environment of this process. Throws if the file cannot be
 * read.
 */
export function loadEnvFile(): void {
  for (const name of readEnvFile()) fromFile.add(name)
}

/**
 * Returns the environment without the variables that `.env` added. A child process gets this environment and reads
 * `.env` itself, so it sees later changes of the file.
 */
export const givenEnvironment = (): Readonly<Record<string, string | undefined>> =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !fromFile.has(name)))
