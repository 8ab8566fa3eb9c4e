import path from 'node:path'
import { isObject } from '../../engine/values/is-object.js'
import type { NamedCode } from './named-code.js'
import { readInside } from './safe-folder.js'

/** More than any project has. */
const maxDependencies = 1000

/**
 * The plugins that `config/plugins` names or `package.json` depends on, each once, with the file: `sitemap
 * (config/plugins.ts)`. Left out are those whose work is done here, those that are turned off, and `local` ones, by
 * the names of their folders. What is installed says itself whether it is a plugin; of the others the name does.
 */
export function pluginPackages(
  root: string,
  named: NamedCode['plugins'],
  local: readonly string[],
): readonly string[] {
  const known = new Set([...named.map(({ name }) => name), ...local].map(shortName))
  const dependencies = readJson(root, path.join(root, 'package.json'))?.['dependencies']
  const packages = Object.keys(isObject(dependencies) ? dependencies : {})
    .slice(0, maxDependencies)
    .filter((name) => packageName.test(name) && isPlugin(root, name) && !known.has(shortName(name)))
    .map((name) => ({ name, file: 'package.json', enabled: true }))
  const isLocal = new Set(local)
  return [...named, ...packages]
    .filter(({ name, enabled }) => enabled && !isLocal.has(name) && !doneHere.test(shortName(name)))
    .map(({ name, file }) => `${name} (${file})`)
}

/** What npm allows; it becomes part of a path. */
const packageName = /^(@[a-z0-9-][\w.-]*\/)?[a-z0-9-][\w.-]*$/i

/** `graphql` of `@strapi/plugin-graphql`, `populate-deep` of `strapi-v5-plugin-populate-deep`. */
const shortName = (name: string): string =>
  name.replace(/^@[^/]+\//, '').replace(/^(strapi-)?(v\d-)?(plugin-)?/, '')

/** Those of which nothing is missed: built in, of Strapi's cloud, or for the interface alone. */
const doneHere =
  /^(users-permissions|i18n|upload|email|content-manager|content-type-builder|cloud|color-picker|(.*-)?(populate-deep|deep-populate))$/

function isPlugin(root: string, name: string): boolean {
  const manifest = readJson(root, path.join(root, 'node_modules', name, 'package.json'))
  if (manifest === undefined)
    return /(^|[/-])(strapi-)?(v\d-)?plugin-/.test(name) && name.includes('strapi')
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
