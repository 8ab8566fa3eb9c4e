import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { isObject, type PlainObject } from '../../../engine/values/is-object.js'
import { listFiles, listFolders } from '../../../server/project/safe-folder.js'
import type { Found } from './make-model.js'

/**
 * Reads the definitions of a Strapi 3 project: `api/<api>/models/*.settings.json`, `components/<category>/*.json` and
 * `extensions/<plugin>/models/*.settings.json`.
 * @throws Error if the folder has no definitions, or if a file is not JSON
 */
export async function readModelFiles(folder: string): Promise<readonly Found[]> {
  const found: Found[] = []
  for (const api of await foldersIn(folder, 'api')) {
    const routes = await routesOf(api)
    for (const [name, definition] of await definitionsIn(path.join(api, 'models'), modelEnding)) {
      const v3Uid = `application::${path.basename(api)}.${name}`
      found.push({ v3Uid, definition, route: routes.get(name.toLowerCase()) })
    }
  }
  for (const category of await foldersIn(folder, 'components'))
    for (const [name, definition] of await definitionsIn(category, '.json'))
      found.push({ v3Uid: `${path.basename(category)}.${name}`, definition })
  for (const plugin of await foldersIn(folder, 'extensions'))
    for (const [name, definition] of await definitionsIn(path.join(plugin, 'models'), modelEnding))
      found.push({ v3Uid: `plugins::${path.basename(plugin)}.${name}`, definition })
  if (found.length === 0)
    throw new Error(
      `There are no definitions of a Strapi 3 project in ${folder} (api/*/models/*.settings.json). Give the folder of the project, or leave --definitions out`,
    )
  return found
}

const modelEnding = '.settings.json'

async function foldersIn(folder: string, name: string): Promise<readonly string[]> {
  const names = await listFolders(path.join(folder, name))
  return names.map((one) => path.join(folder, name, one))
}

async function definitionsIn(folder: string, ending: string) {
  const names = await listFiles(folder, ending)
  return Promise.all(
    names.map(async (name) => [name, await readJson(path.join(folder, name + ending))] as const),
  )
}

/** Returns a map from the name of each model, in lower case, to the path segment in its route. */
async function routesOf(api: string): Promise<ReadonlyMap<string, string>> {
  const file = path.join(api, 'config', 'routes.json')
  const { routes }: PlainObject = await readJson(file).catch(() => ({}))
  const found = new Map<string, string>()
  for (const route of Array.isArray(routes) ? (routes as readonly unknown[]) : []) {
    if (!isObject(route) || route.method !== 'GET') continue
    const model = /^([^.]+)\.find$/.exec(String(route.handler))?.[1]
    const name = /^\/([^/:]+)$/.exec(String(route.path))?.[1]
    if (model !== undefined && name !== undefined) found.set(model.toLowerCase(), name)
  }
  return found
}

export async function readJson(file: string): Promise<PlainObject> {
  const text = await readFile(file, 'utf8')
  try {
    const value: unknown = JSON.parse(text)
    if (isObject(value)) return value
  } catch {
    // Invalid JSON also leads to this error.
  }
  throw new Error(`${file} is not a definition: it does not contain a JSON object`)
}
