import path from 'node:path'
import { codeKinds, type CodeKind, type FoundCode } from './code-kinds.js'
import { findBase } from './find-base.js'
import { hasOwnCode, createBudget, listCode } from './list-code.js'
import { noNamedCode, type NamedCode } from './named-code.js'
import { findFile, listFolders, readJsonInside } from './safe-folder.js'
import { objectOf } from '../../engine/values/is-object.js'

const kindsOfApis = ['controllers', 'routes', 'services', 'policies', 'middlewares'] as const

/**
 * Finds the code in a project that does more than Strapi's defaults. Does not execute it. None of that code runs in
 * Quire (docs/internals/decisions.md, "Code of a project").
 * @param named code that the project's configuration refers to by name
 */
export async function findCode(
  root: string,
  named: NamedCode = noNamedCode,
): Promise<readonly FoundCode[]> {
  const base = await findBase(root)
  if (base === undefined) return []
  const budget = createBudget()
  const found = new Map<CodeKind, string[]>()
  const add = (kind: CodeKind, places: readonly string[]) => {
    const relative = places.map((place) =>
      path.isAbsolute(place) ? path.relative(root, place).split(path.sep).join('/') : place,
    )
    if (relative.length > 0) found.set(kind, [...(found.get(kind) ?? []), ...relative])
  }
  const list = (folder: string, isMeant?: (file: string) => boolean) =>
    listCode(root, folder, budget, isMeant)
  for (const home of ['api', 'extensions'])
    for (const owner of await listFolders(path.join(base, home))) {
      const folder = path.join(base, home, owner)
      // Strapi expects lifecycles next to the content-types.
      add('lifecycles', await list(path.join(folder, 'content-types'), isLifecycles))
      if (home === 'extensions') continue
      for (const kind of kindsOfApis) add(kind, await list(path.join(folder, kind)))
    }
  for (const kind of ['policies', 'middlewares'] as const)
    add(kind, await list(path.join(base, kind)))
  for (const plugin of await listFolders(path.join(base, 'extensions'))) {
    // `strapi-server` may be a file or a folder.
    const stem = path.join(base, 'extensions', plugin, 'strapi-server')
    add('extensions', [...(await moduleOf(root, stem)), ...(await list(stem))])
  }
  const local = await listFolders(path.join(base, 'plugins'))
  for (const plugin of local) {
    const folder = path.join(base, 'plugins', plugin)
    if ((await list(folder, isServerCode)).length > 0) add('plugins', [folder])
  }
  add('plugins', pluginPackages(root, named.plugins, local))
  add(
    'middlewares',
    named.middlewares.map(({ name, file }) => `${name} (${file})`),
  )
  add('bootstrap', await moduleOf(root, path.join(base, 'index')))
  add('cron', await moduleOf(root, path.join(root, 'config', 'cron-tasks')))
  add('migrations', await list(path.join(root, 'database', 'migrations')))
  const kinds = Object.keys(codeKinds) as CodeKind[]
  return kinds.flatMap((kind) => {
    const places = found.get(kind)
    return places === undefined ? [] : { kind, places }
  })
}

const isLifecycles = (file: string): boolean => /^lifecycles?\./i.test(path.basename(file))

/** Excludes definitions of content-types, the admin interface, and configurations of build tools. */
const isServerCode = (file: string): boolean =>
  !/[/\\]content-types[/\\].*\b(index|schema)\.\w+$/.test(file) &&
  !/^strapi-admin\.|\.config\.\w+$/.test(path.basename(file))

/** Returns the module at a path without extension; none if it does not exist or is boilerplate. */
async function moduleOf(root: string, stem: string): Promise<readonly string[]> {
  const file = await findFile(stem, ['.ts', '.js', '.cjs', '.mjs', '.mts', '.cts'])
  return file !== undefined && hasOwnCode(root, file) ? [file] : []
}

/** Maximum number of dependencies to check: more than any project has. */
const maxDependencies = 1000

/**
 * Returns the plugins in `config/plugins` and `package.json`, each with the file that names it: `sitemap
 * (config/plugins.ts)`. Omits disabled plugins, plugins that need no replacement, and the project's own (`local`).
 */
function pluginPackages(
  root: string,
  named: NamedCode['plugins'],
  local: readonly string[],
): readonly string[] {
  const known = new Set([...named.map(({ name }) => name), ...local].map(shortName))
  const dependencies = readJsonInside(root, path.join(root, 'package.json'))?.dependencies
  const packages = Object.keys(objectOf(dependencies))
    .slice(0, maxDependencies)
    .filter((name) => packageName.test(name) && isPlugin(root, name) && !known.has(shortName(name)))
    .map((name) => ({ name, file: 'package.json', enabled: true }))
  const isLocal = new Set(local)
  return [...named, ...packages]
    .filter(({ name, enabled }) => enabled && !isLocal.has(name) && !doneHere.test(shortName(name)))
    .map(({ name, file }) => `${name} (${file})`)
}

/** Package names that npm allows. Other names are ignored, because the name becomes part of a path. */
const packageName = /^(@[a-z0-9-][\w.-]*\/)?[a-z0-9-][\w.-]*$/i

/** Returns `graphql` for `@strapi/plugin-graphql`, and `populate-deep` for `strapi-v5-plugin-populate-deep`. */
const shortName = (name: string): string =>
  name.replace(/^@[^/]+\//, '').replace(/^(strapi-)?(v\d-)?(plugin-)?/, '')

/**
 * Plugins that need no replacement: Quire has their features, or they serve only Strapi's cloud or the admin interface.
 */
const doneHere =
  /^(users-permissions|i18n|upload|email|content-manager|content-type-builder|cloud|color-picker|(.*-)?(populate-deep|deep-populate))$/

function isPlugin(root: string, name: string): boolean {
  const manifest = readJsonInside(root, path.join(root, 'node_modules', name, 'package.json'))
  if (manifest === undefined)
    return /(^|[/-])(strapi-)?(v\d-)?plugin-/.test(name) && name.includes('strapi')
  const strapi = manifest.strapi
  return objectOf(strapi).kind === 'plugin'
}
