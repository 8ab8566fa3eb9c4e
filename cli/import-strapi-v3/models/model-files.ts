import { readFile, readdir } from 'node:fs/promises'
import path from 'node:path'
import type { RawObject } from '../../../engine/schema/read-options.js'
import { isObject } from '../../../engine/values/is-object.js'
import { ImportRefused } from '../../import-runner/import-refused.js'
import type { Found } from './make-model.js'

/**
 * The definitions in the sources of a Strapi 3: `api/<api>/models/*.settings.json`, `components/<category>/*.json` and
 * `extensions/<plugin>/models/*.settings.json`.
 * @throws ImportRefused where the folder has none, or a file is no JSON
 */
export async function readModelFiles(folder: string): Promise<readonly Found[]> {
  const found = [
    ...(await inFolders(folder, 'api', async (api) => {
      const routes = await routesOf(path.join(folder, 'api', api))
      return (await modelsIn(path.join(folder, 'api', api))).map(({ name, definition }) => ({
        formerUid: `application::${api}.${name}`,
        definition,
        route: routes.get(name.toLowerCase()),
      }))
    })),
    ...(await inFolders(folder, 'components', async (category) => {
      const files = await filesIn(path.join(folder, 'components', category), '.json')
      return Promise.all(
        files.map(async (file) => ({
          formerUid: `${category}.${path.basename(file, '.json')}`,
          definition: await readJson(file),
        })),
      )
    })),
    ...(await inFolders(folder, 'extensions', async (plugin) =>
      (await modelsIn(path.join(folder, 'extensions', plugin))).map(({ name, definition }) => ({
        formerUid: `plugins::${plugin}.${name}`,
        definition,
      })),
    )),
  ]
  if (found.length === 0)
    throw new ImportRefused(
      `There are no definitions of a Strapi 3 in ${folder} (api/*/models/*.settings.json): name the folder of its project, or leave --definitions out`,
    )
  return found
}

async function inFolders(
  folder: string,
  name: string,
  read: (inner: string) => Promise<readonly Found[]>,
): Promise<readonly Found[]> {
  const entries = await entriesOf(path.join(folder, name))
  const found: Found[] = []
  for (const entry of entries) if (entry.isDirectory()) found.push(...(await read(entry.name)))
  return found
}

const settings = '.settings.json'

async function modelsIn(folder: string) {
  const files = await filesIn(path.join(folder, 'models'), settings)
  return Promise.all(
    files.map(async (file) => ({
      name: path.basename(file, settings),
      definition: await readJson(file),
    })),
  )
}

/** By the name of the model in lower case: the path at which its entries are listed, or the single one is read. */
async function routesOf(api: string): Promise<ReadonlyMap<string, string>> {
  const file = path.join(api, 'config', 'routes.json')
  const given = await readJson(file).catch(() => ({}))
  const routes = (given as { routes?: unknown }).routes
  const found = new Map<string, string>()
  for (const route of Array.isArray(routes) ? (routes as readonly unknown[]) : []) {
    if (!isObject(route) || route['method'] !== 'GET') continue
    const model = /^([^.]+)\.find$/.exec(String(route['handler']))?.[1]
    const name = /^\/([^/:]+)$/.exec(String(route['path']))?.[1]
    if (model !== undefined && name !== undefined) found.set(model.toLowerCase(), name)
  }
  return found
}

async function filesIn(folder: string, ending: string): Promise<readonly string[]> {
  const names = (await entriesOf(folder)).flatMap((entry) =>
    entry.isFile() && entry.name.endsWith(ending) ? [entry.name] : [],
  )
  return names.sort().map((name) => path.join(folder, name))
}

async function entriesOf(folder: string) {
  try {
    return await readdir(folder, { withFileTypes: true })
  } catch (error) {
    if (isMissing(error)) return []
    throw error
  }
}

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')

async function readJson(file: string): Promise<RawObject> {
  const text = await readFile(file, 'utf8')
  try {
    const value: unknown = JSON.parse(text)
    if (isObject(value)) return value
  } catch {
    // It is told below.
  }
  throw new ImportRefused(`${file} is no definition: it holds no object in JSON`)
}
