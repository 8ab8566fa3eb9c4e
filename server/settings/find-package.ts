import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

/** What an installed package says of itself, and where. */
export type InstalledPackage = Readonly<{
  version: string
  optionalDependencies: Readonly<Record<string, string>>
  /** Its `package.json`. */
  path: string
}>

/**
 * A package as Node would find it from a file, also where it exports no `package.json`; undefined: it is not installed.
 * @param from a path or a `file:` URL
 */
export function findPackage(name: string, from: string): InstalledPackage | undefined {
  const folders = createRequire(from).resolve.paths(name) ?? []
  const found = folders.map((folder) => join(folder, name, 'package.json')).find(existsSync)
  if (found === undefined) return undefined
  const path = realpathSync(found)
  const manifest = JSON.parse(readFileSync(path, 'utf8')) as Partial<InstalledPackage>
  const { version = '', optionalDependencies = {} } = manifest
  return { version, optionalDependencies, path }
}
