import { homedir } from 'node:os'
import path from 'node:path'

/** Returns the folder for installed services, below `XDG_CACHE_HOME`; default: `~/.cache`. */
export function cacheFolder(environment: Readonly<Record<string, string | undefined>>): string {
  const base = environment['XDG_CACHE_HOME']
  const isGiven = base !== undefined && path.isAbsolute(base)
  return path.join(isGiven ? base : path.join(homedir(), '.cache'), 'quire', 'services')
}
