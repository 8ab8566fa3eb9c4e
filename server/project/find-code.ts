import path from 'node:path'
import { codeKinds, type CodeKind, type FoundCode } from './code-kinds.js'
import { findBase } from './find-base.js'
import { actsByItself, createBudget, listCode, type Budget } from './list-code.js'
import { noNamedCode, type NamedCode } from './named-code.js'
import { isFile, listFolders, readInside } from './safe-folder.js'
import { isObject } from '../../engine/values/is-object.js'

type Add = (kind: CodeKind, places: readonly string[]) => void

/**
 * The code of a Strapi project that does something of its own, by kind; none of it runs here (docs/decisions.md,
 * "Code of a project"). It is found by where Strapi looks for it, parsed, and never executed; `named` is what the
 * project's configuration names of it.
 */
export async function findCode(
  root: string,
  named: NamedCode = noNamedCode,
): Promise<readonly FoundCode[]> {
  const base = await findBase(root)
  if (base === undefined) return []
  const budget = createBudget()
  const found = new Map<CodeKind, string[]>()
  const add: Add = (kind, places) => {
    const relative = places.map((place) =>
      path.isAbsolute(place) ? path.relative(root, place).split(path.sep).join('/') : place,
    )
    if (relative.length > 0) found.set(kind, [...(found.get(kind) ?? []), ...relative])
  }
  await findInApis(root, base, budget, add)
  for (const kind of ['policies', 'middlewares'] as const)
    add(kind, await listCode(root, path.join(base, kind), budget))
  add('extensions', await extensionCode(root, base, budget))
  const plugins = await localPlugins(root, base, budget)
  add('plugins', plugins)
  const local = await listFolders(path.join(base, 'plugins'))
  add('plugins', pluginPackages(root, named.plugins, local))
  add(
    'middlewares',
    named.middlewares.map(({ name, file }) => `${name} (${file})`),
  )
  add('bootstrap', await moduleOf(root, path.join(base, 'index')))
  add('cron', await moduleOf(root, path.join(root, 'config', 'cron-tasks')))
  add('migrations', await listCode(root, path.join(root, 'database', 'migrations'), budget))
  const kinds = Object.keys(codeKinds) as CodeKind[]
  return kinds.flatMap((kind) => {
    const places = found.get(kind)
    return places === undefined ? [] : [{ kind, places }]
  })
}

const kindsOfApis = ['controllers', 'routes', 'services', 'policies', 'middlewares'] as const

/** `api/<api>/<kind>/**`, and `lifecycles` beside the definitions of types, those of extensions too. */
async function findInApis(root: string, base: string, budget: Budget, add: Add): Promise<void> {
  for (const home of ['api', 'extensions'])
    for (const api of await listFolders(path.join(base, home))) {
      const folder = path.join(base, home, api)
      const types = path.join(folder, 'content-types')
      add('lifecycles', await listCode(root, types, budget, isLifecycles))
      if (home === 'extensions') continue
      for (const kind of kindsOfApis)
        add(kind, await listCode(root, path.join(folder, kind), budget))
    }
}

const isLifecycles = (file: string): boolean => /^lifecycles?\./i.test(path.basename(file))

/** `extensions/<plugin>/strapi-server`, a file or a folder. */
async function extensionCode(
  root: string,
  base: string,
  budget: Budget,
): Promise<readonly string[]> {
  const found: string[] = []
  for (const plugin of await listFolders(path.join(base, 'extensions'))) {
    const stem = path.join(base, 'extensions', plugin, 'strapi-server')
    found.push(...(await moduleOf(root, stem)), ...(await listCode(root, stem, budget)))
  }
  return found
}

/** Folders of `plugins` with code for the server; those of definitions alone are served. */
async function localPlugins(
  root: string,
  base: string,
  budget: Budget,
): Promise<readonly string[]> {
  const found: string[] = []
  for (const plugin of await listFolders(path.join(base, 'plugins'))) {
    const folder = path.join(base, 'plugins', plugin)
    if ((await listCode(root, folder, budget, isServerCode)).length > 0) found.push(folder)
  }
  return found
}

/** Definitions of types, and how its interface is made, are no part of what a plugin does. */
const isServerCode = (file: string): boolean =>
  !/[/\\]content-types[/\\].*\b(index|schema)\.\w+$/.test(file) &&
  !/^strapi-admin\.|\.config\.\w+$/.test(path.basename(file))

/** The module at a path without extension, where it is there and does something. */
async function moduleOf(root: string, stem: string): Promise<readonly string[]> {
  for (const extension of ['.ts', '.js', '.cjs', '.mjs', '.mts', '.cts']) {
    const file = `${stem}${extension}`
    if (await isFile(file)) return actsByItself(root, file) ? [file] : []
  }
  return []
}

/** More than any project has. */
const maxDependencies = 1000

/**
 * The plugins that `config/plugins` names or `package.json` depends on, each once, with the file: `sitemap
 * (config/plugins.ts)`. Left out are those whose work is done here, those that are turned off, and `local` ones, by
 * the names of their folders. What is installed says itself whether it is a plugin; of the others the name does.
 */
function pluginPackages(
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
