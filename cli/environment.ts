import { readEnvFile } from '../server/settings/env-file.js'

const fromFile = new Set<string>()

/** Takes what `.env` of this folder says into the environment of this process. Throws where it cannot be read. */
export function loadEnvFile(): void {
  for (const name of readEnvFile()) fromFile.add(name)
}

/** The environment as this process was given it, for one that reads `.env` itself, perhaps after it was changed. */
export const givenEnvironment = (): Readonly<Record<string, string | undefined>> =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !fromFile.has(name)))
