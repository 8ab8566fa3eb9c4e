import { homedir } from 'node:os'
import path from 'node:path'

/** Returns the folder of services outside of the project: below `XDG_CACHE_HOME`, by default `~/.cache`. */
export function cacheFolder(environment: Readonly<Record<string, string | undefined>>): string {
  const base = environment['XDG_CACHE_HOME']
  const isGiven = base !== undefined && path.isAbsolute(base)
  return path.join(isGiven ? base : path.join(homedir(), '.cache'), 'quire', 'services')
}
