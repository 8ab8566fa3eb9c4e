import path from 'node:path'
import { isObject } from '../../engine/values/is-object.js'
import { readInside } from './safe-folder.js'

/** More than any project has. */
const maxDependencies = 1000

/**
 * The plugins that a project's `package.json` depends on, but for those whose work is done here: `name (package.json)`.
 * What is installed says itself whether it is one; of the others the name does.
 */
export function pluginPackages(root: string): readonly string[] {
  const dependencies = readJson(root, path.join(root, 'package.json'))?.['dependencies']
  if (!isObject(dependencies)) return []
  return Object.keys(dependencies)
    .slice(0, maxDependencies)
    .filter((name) => packageName.test(name) && !doneHere.test(name) && isPlugin(root, name))
    .map((name) => `${name} (package.json)`)
}

/** What npm allows; it becomes part of a path. */
const packageName = /^(@[a-z0-9-][\w.-]*\/)?[a-z0-9-][\w.-]*$/i

/** Those of which nothing is missed: built in, of Strapi's cloud, or for the interface alone. */
const doneHere =
  /^@strapi\/plugin-(users-permissions|i18n|upload|email|content-manager|content-type-builder|cloud|color-picker)$|populate-deep$|deep-populate$/

function isPlugin(root: string, name: string): boolean {
  const manifest = readJson(root, path.join(root, 'node_modules', name, 'package.json'))
  if (manifest === undefined)
    return /(^|[/-])(strapi-)?(v\d-)?plugin-/.test(name) && /strapi/.test(name)
  const strapi = manifest['strapi']
  return isObject(strapi) && strapi['kind'] === 'plugin'
}

function readJson(root: string, file: string): Readonly<Record<string, unknown>> | undefined {
  const read = readInside(root, file)
  if ('fault' in read) return undefined
  try {
    const value: unknown = JSON.parse(read.text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
