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

/** A type that a plugin's code exports. `name` is absent if the code cannot be read. */
type InlineType = Readonly<{
  file: string
  name?: string | undefined
  parsed: ParsedDefinition
}>

/**
 * Returns the exports of a plugin's `content-types/index`, such as `{ order: { schema } }`. Only literals in that file
 * can be read; for other exports, returns the problem and its line.
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

/** A definition file, or one of several definitions in a file. */
export type SchemaFile = Readonly<{
  file: string
  kind: SourcedDefinition['kind']
  uidOf: (definition: PlainObject) => string
  /** Set if this extends a type of a plugin: its members replace those of the plugin's definition. */
  extends?: true
  /** Set for a plugin inside the project: unreadable code only causes a warning. */
  tolerated?: true
  /** Set if the file contains several definitions. */
  parsed?: ParsedDefinition
}>

/**
 * Finds definitions in a Strapi project, its `src`, or a folder with the same layout. Also finds the flat layout:
 * `content-types/*.json` and `components/<category>/*.json`. Content-types come first, then components, each sorted by
 * path.
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

/** `extensions/<plugin>/content-types/<name>/schema.json`, which extend types of plugins or built-in types */
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

/** `content-types/<name>.json`, with the uid `api::<name>.<name>` */
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

/**
 * Maximum number of folder levels between a plugin's `server` folder and its types, as in `server/src/content-types`.
 */
const maxDepth = 3
const noSources: ReadonlySet<string> = new Set(['node_modules', 'dist', 'build', 'admin'])

/** `plugins/<plugin>/server/…/content-types/<name>/schema.json`, and types in the `index` file next to these folders */
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

/** Definitions in the `index` file take precedence. Types that it only imports are read from their own folders. */
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

/** The type `orderItem` of an `index` file is usually in the folder `order-item`. */
const plain = (name: string): string => name.replaceAll(/[-_]/g, '').toLowerCase()

/** Returns the name that a plugin declares, which may differ from its folder's name. */
export function pluginName(root: string, plugin: string): string | undefined {
  const strapi = readJsonInside(root, path.join(plugin, 'package.json'))?.strapi
  return nameIn(strapi, 'name')
}

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

/** Of files whose names differ only in the extension, returns the one whose extension takes precedence. */
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

/** Returns `schema.json`, `schema` with another extension, or `index.js`. */
async function schemaOf(folder: string): Promise<string> {
  const [schema, index] = [path.join(folder, 'schema'), path.join(folder, 'index')]
  return (await findFile(schema, extensions)) ?? (await findFile(index, extensions)) ?? schema
}

/** Returns the type's name in Strapi's uids, usually the name of its folder. */
function singularName(definition: PlainObject): string | undefined {
  return nameIn(definition.info, 'singularName')
}
