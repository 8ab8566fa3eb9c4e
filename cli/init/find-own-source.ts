import { readFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { isCheckout, packageRoot } from '../../server/settings/own-command.js'

/**
 * Where a project gets this Quire from, as npm writes it: the packed file that this one was installed from, the
 * checkout that it is, else the published version and what is compatible with it.
 */
export async function findOwnSource(): Promise<string> {
  if (isCheckout) return `file:${packageRoot}`
  const { name, version } = JSON.parse(
    await readFile(join(packageRoot, 'package.json'), 'utf8'),
  ) as { name: string; version: string }
  const modules = dirname(resolve(packageRoot))
  const resolved = await resolvedIn(modules, name)
  return resolved?.startsWith('file:') === true
    ? // Seen from the folder that the modules are in.
      resolve(dirname(modules), resolved.slice('file:'.length))
    : `^${version}`
}

/** What npm's list of a folder of modules says of a package; undefined where there is none. */
async function resolvedIn(modules: string, name: string): Promise<string | undefined> {
  const text = await readFile(join(modules, '.package-lock.json'), 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  const { packages } = JSON.parse(text) as {
    packages?: Readonly<Record<string, Readonly<{ resolved?: string }>>>
  }
  return packages?.[`node_modules/${name}`]?.resolved
}
