import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

/** Facts about an installed package. */
export type InstalledPackage = Readonly<{
  version: string
  optionalDependencies: Readonly<Record<string, string>>
  /** Path of its `package.json`. */
  path: string
}>

/**
 * Finds a package as an import in the file `from` would, even if it does not export its `package.json`.
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
