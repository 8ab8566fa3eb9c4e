import { readEnvFile } from '../server/settings/env-file.js'

const fromFile = new Set<string>()

/** Loads `.env` of the working directory into the environment of this process. Throws if it cannot be read. */
export function loadEnvFile(): void {
  for (const name of readEnvFile()) fromFile.add(name)
}

/** Returns the environment without the variables from `.env`, because a child process reads this file itself. */
export const givenEnvironment = (): Readonly<Record<string, string | undefined>> =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !fromFile.has(name)))
