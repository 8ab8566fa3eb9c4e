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
  for (const { folders, models, ending, prefix } of places)
    for (const owner of await listFolders(path.join(folder, folders))) {
      const place = path.join(folder, folders, owner)
      const routes = folders === 'api' ? await routesOf(place) : undefined
      const inside = path.join(place, models)
      for (const name of await listFiles(inside, ending)) {
        const definition = await readJson(path.join(inside, name + ending))
        const v3Uid = `${prefix}${owner}.${name}`
        found.push({ v3Uid, definition, route: routes?.get(name.toLowerCase()) })
      }
    }
  if (found.length === 0)
    throw new Error(
      `There are no definitions of a Strapi 3 project in ${folder} (api/*/models/*.settings.json). Give the folder of the project, or leave --definitions out`,
    )
  return found
}

/** Where definitions are, and how their uids in Strapi 3 begin. Only models in `api` have a route. */
const places = [
  { folders: 'api', models: 'models', ending: '.settings.json', prefix: 'application::' },
  { folders: 'components', models: '', ending: '.json', prefix: '' },
  { folders: 'extensions', models: 'models', ending: '.settings.json', prefix: 'plugins::' },
]

/** Returns a map from the name of each model, in lower case, to the path segment in its route. */
async function routesOf(folder: string): Promise<ReadonlyMap<string, string>> {
  const file = path.join(folder, 'config', 'routes.json')
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
