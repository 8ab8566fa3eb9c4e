import path from 'node:path'
import type { SourcedDefinition } from '../../engine/schema/define/define-all.js'
import { objectOf, type PlainObject, isObject } from '../../engine/values/is-object.js'
import {
  definitionName,
  extensions,
  type ParsedDefinition,
  skippedBelow,
} from './parse-definition.js'
import { findBase } from '../project/find-base.js'
import {
  findFile,
  listFiles,
  listFolders,
  readJsonInside,
  readInside,
} from '../project/safe-folder.js'
import { readModule } from '../project/read-module.js'

/** A type from a plugin's list of types. `name` is absent if its entry cannot be read. */
type InlineType = Readonly<{
  file: string
  name?: string | undefined
  parsed: ParsedDefinition
}>

/**
 * Returns the types in the `index` of a plugin's `content-types`, such as `{ order: { schema } }`. A definition is read
 * if it is a literal in that file. Otherwise the result contains the problem and its line.
 */
async function findInlineTypes(root: string, folder: string): Promise<readonly InlineType[]> {
  const file = await findFile(path.join(folder, 'index'), modules)
  if (file === undefined) return []
  const read = readInside(root, file)
  const module = 'fault' in read ? read : readModule(read.text, file)
  if ('fault' in module) return [{ file, parsed: module }]
  const { value, skipped } = module
  if (!isObject(value)) return [{ file, parsed: { fault: 'must export an object' } }]
  const whole = Object.entries(value).flatMap(([name, type]): InlineType[] => {
    const definition = objectOf(type).schema
    if (!isObject(definition)) return []
    const within = skippedBelow(skipped, `${name}.schema.`)
    return [{ file, name, parsed: { definition, skipped: within } }]
  })
  const missing = skipped.flatMap(({ path, line }): InlineType[] => {
    const [name = '', member, ...inner] = path.split('.')
    if (inner.length > 0 || (member !== undefined && member !== 'schema')) return []
    const fault = `${path === '' ? 'a part' : `"${path}"`} is not a literal in this file (line ${line})`
    return [{ file, name: name || undefined, parsed: { fault } }]
  })
  return [...whole, ...missing]
}

const modules = extensions.filter((extension) => extension !== '.json')

/** A file that should contain a definition. */
export type SchemaFile = Readonly<{
  file: string
  kind: SourcedDefinition['kind']
  uidOf: (definition: PlainObject) => string
  /** For a type of a plugin: its members replace those of the plugin's own definition. */
  extends?: true
  /** For a plugin in the project: code that cannot be read causes a warning and is left out. */
  tolerated?: true
  /** The parsed definition, if the file contains several. */
  parsed?: ParsedDefinition
}>

/**
 * Finds the files of definitions below `schemaDir`. It may be a Strapi project, its `src`, or any folder with `api/`
 * and `components/` in the same layout. The flat layout is `content-types/*.json` and `components/<category>/*.json`.
 * Content-types come before components, each sorted by path.
 */
export async function findSchemaFiles(schemaDir: string): Promise<readonly SchemaFile[]> {
  const base = await findBase(schemaDir)
  if (base === undefined) return []
  return [
    ...(await apiFiles(base)),
    ...(await flatFiles(base)),
    ...(await pluginFiles(schemaDir, base)),
    ...(await extensionFiles(base)),
    ...(await componentFiles(base)),
  ]
}

/** `api/<api>/content-types/<name>/schema.json` */
const apiFiles = (base: string): Promise<readonly SchemaFile[]> =>
  typesIn(path.join(base, 'api'), (api, name) => ({
    uidOf: (definition) => `api::${api}.${singularName(definition) ?? name}`,
  }))

/** `extensions/<plugin>/content-types/<name>/schema.json`: for a type of a plugin, or of the service. */
const extensionFiles = (base: string): Promise<readonly SchemaFile[]> =>
  typesIn(path.join(base, 'extensions'), (plugin, name) => ({
    uidOf: () => `plugin::${plugin}.${name}`,
    extends: true,
  }))

async function typesIn(
  home: string,
  about: (owner: string, name: string) => Pick<SchemaFile, 'uidOf' | 'extends'>,
): Promise<readonly SchemaFile[]> {
  const files: SchemaFile[] = []
  for (const owner of await listFolders(home)) {
    const folder = path.join(home, owner, 'content-types')
    for (const name of await listFolders(folder)) {
      const file = await schemaOf(path.join(folder, name))
      files.push({ file, kind: 'content-type', ...about(owner, name) })
    }
  }
  return files
}

/** `content-types/<name>.json`: the API has the name of the type. */
async function flatFiles(base: string): Promise<readonly SchemaFile[]> {
  return (await definitionsIn(path.join(base, 'content-types'))).map(({ file, name }) => ({
    file,
    kind: 'content-type',
    uidOf: (definition) => {
      const singular = singularName(definition) ?? name
      return `api::${singular}.${singular}`
    },
  }))
}

/** The maximum depth of a plugin's `content-types` below its `server`: `server/src/content-types`. */
const maxDepth = 3
const noSources: ReadonlySet<string> = new Set(['node_modules', 'dist', 'build', 'admin'])

/**
 * `plugins/<plugin>/server/…/content-types/<name>/schema.json` of plugins in the project itself, and the types in the
 * `index` next to these folders.
 */
async function pluginFiles(root: string, base: string): Promise<readonly SchemaFile[]> {
  const files: SchemaFile[] = []
  for (const folder of await listFolders(path.join(base, 'plugins'))) {
    const plugin = path.join(base, 'plugins', folder)
    const name = pluginName(root, plugin) ?? folder
    for (const types of await contentTypeFolders(path.join(plugin, 'server'), maxDepth))
      files.push(...(await pluginTypes(root, types, name)))
  }
  return files
}

/**
 * Finds the types of one folder. A definition in the index itself takes precedence. Types that the index only imports
 * are in a folder.
 */
async function pluginTypes(
  root: string,
  types: string,
  plugin: string,
): Promise<readonly SchemaFile[]> {
  const ofPlugin = { kind: 'content-type', tolerated: true } as const
  const listed = await findInlineTypes(root, types)
  const inline = new Set(
    listed.flatMap(({ name = '', parsed }) => ('fault' in parsed ? [] : [plain(name)])),
  )
  const folders = (await listFolders(types)).filter((folder) => !inline.has(plain(folder)))
  const known = new Set(folders.map(plain))
  const inFolders = await Promise.all(
    folders.map(async (folder): Promise<SchemaFile> => ({
      ...ofPlugin,
      file: await schemaOf(path.join(types, folder)),
      uidOf: (definition) => `plugin::${plugin}.${singularName(definition) ?? folder}`,
    })),
  )
  const others = listed
    .filter(({ name = '' }) => !known.has(plain(name)))
    .map(({ file, name = '', parsed }) => ({
      ...ofPlugin,
      file,
      parsed,
      uidOf: () => `plugin::${plugin}.${name}`,
    }))
  return [...inFolders, ...others]
}

/** `orderItem` of an index is usually the folder `order-item`. */
const plain = (name: string): string => name.replaceAll(/[-_]/g, '').toLowerCase()

/** Returns the name that a plugin declares, which may differ from the name of its folder. */
export function pluginName(root: string, plugin: string): string | undefined {
  const strapi = readJsonInside(root, path.join(plugin, 'package.json'))?.strapi
  return nameIn(strapi, 'name')
}

/** Returns a member that is a non-empty text. */
function nameIn(object: unknown, key: string): string | undefined {
  const name = objectOf(object)[key]
  return typeof name === 'string' && name !== '' ? name : undefined
}

async function contentTypeFolders(folder: string, depth: number): Promise<readonly string[]> {
  if (depth === 0) return []
  const found: string[] = []
  for (const name of await listFolders(folder)) {
    if (noSources.has(name)) continue
    const inner = path.join(folder, name)
    if (name === 'content-types') found.push(inner)
    else found.push(...(await contentTypeFolders(inner, depth - 1)))
  }
  return found
}

/** `components/<category>/<name>.json` */
async function componentFiles(base: string): Promise<readonly SchemaFile[]> {
  const files: SchemaFile[] = []
  for (const category of await listFolders(path.join(base, 'components')))
    for (const { file, name } of await definitionsIn(path.join(base, 'components', category)))
      files.push({ file, kind: 'component', uidOf: () => `${category}.${name}` })
  return files
}

/** Lists the definition files directly in a folder, one per name. */
async function definitionsIn(
  folder: string,
): Promise<readonly Readonly<{ file: string; name: string }>[]> {
  const byName = new Map<string, string>()
  for (const extension of extensions)
    for (const stem of await listFiles(folder, extension)) {
      const name = definitionName(`${stem}${extension}`)
      if (name === undefined || byName.has(name)) continue
      byName.set(name, path.join(folder, `${stem}${extension}`))
    }
  return [...byName]
    .map(([name, file]) => ({ file, name }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** Returns `schema.json` of a type's folder, or an equivalent file. It can also be `index.js`. */
async function schemaOf(folder: string): Promise<string> {
  const [schema, index] = [path.join(folder, 'schema'), path.join(folder, 'index')]
  return (await findFile(schema, extensions)) ?? (await findFile(index, extensions)) ?? schema
}

/** Returns the name in Strapi's uids. The folder's name is usually the same. */
function singularName(definition: PlainObject): string | undefined {
  return nameIn(definition.info, 'singularName')
}
