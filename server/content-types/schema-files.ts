import { stat } from 'node:fs/promises'
import path from 'node:path'
import type { SourcedDefinition } from '../../engine/schema/define-all.js'
import type { SchemaProblem } from '../../engine/schema/schema-error.js'
import { SchemaError } from '../../engine/schema/schema-error.js'
import { isObject } from '../../engine/values/is-object.js'
import type { CustomFields } from './custom-fields.js'
import { resolveCustomFields } from './custom-fields.js'
import { parseDefinition } from './parse-definition.js'
import { isFolder, listFiles, listFolders, readInside } from './safe-folder.js'

/** A file that should hold a definition. */
type SchemaFile = Readonly<{ file: string; kind: SourcedDefinition['kind']; uidOf: UidOf }>
type UidOf = (definition: Readonly<Record<string, unknown>>) => string

export type ReadingOptions = Readonly<{
  /** The setting `schema.customFields`. */
  customFields?: CustomFields
  /** Gets what Strapi tolerates and is read otherwise than it is written. */
  warn?: (warning: SchemaProblem) => void
}>

/** Folders whose presence makes a folder one of definitions. */
const marks = ['api', 'components', 'content-types', 'extensions']

/**
 * Reads the definitions below `schemaDir`: a Strapi project, its `src`, any folder that holds `api/`
 * and `components/` as that does, or the flat form `content-types/*.json` with
 * `components/<category>/*.json`. Content-types come before components, each sorted by path.
 * @returns an empty list where the folder holds none of these
 * @throws Error where the folder is missing; SchemaError that lists all files that cannot be read
 */
export async function readSchemaFiles(
  schemaDir: string,
  { customFields = {}, warn = () => undefined }: ReadingOptions = {},
): Promise<readonly SourcedDefinition[]> {
  const found = await stat(schemaDir).catch(() => undefined)
  if (found?.isDirectory() !== true)
    throw new Error(`SCHEMA_DIR "${schemaDir}" is not a folder that can be read`)
  const base = await findBase(schemaDir)
  if (base === undefined) return []
  const files = [
    ...(await apiFiles(base)),
    ...(await flatFiles(base)),
    ...(await extensionFiles(base)),
    ...(await componentFiles(base)),
  ]
  const problems: SchemaProblem[] = []
  const definitions: SourcedDefinition[] = []
  for (const { file, kind, uidOf } of files) {
    const read = await readInside(schemaDir, file)
    const parsed = 'fault' in read ? read : parseDefinition(read.text)
    if ('fault' in parsed) problems.push({ source: file, path: '', message: parsed.fault })
    else {
      const { definition } = parsed
      const sourced = { kind, uid: uidOf(definition), source: file, definition }
      definitions.push(resolveCustomFields(sourced, customFields, warn))
    }
  }
  if (problems.length > 0) throw new SchemaError(problems)
  return definitions
}

async function findBase(schemaDir: string): Promise<string | undefined> {
  for (const base of [schemaDir, path.join(schemaDir, 'src')])
    for (const mark of marks) if (await isFolder(path.join(base, mark))) return base
  return undefined
}

/** `api/<api>/content-types/<name>/schema.json` */
async function apiFiles(base: string): Promise<readonly SchemaFile[]> {
  const files: SchemaFile[] = []
  for (const api of await listFolders(path.join(base, 'api'))) {
    const types = path.join(base, 'api', api, 'content-types')
    for (const name of await listFolders(types))
      files.push({
        file: path.join(types, name, 'schema.json'),
        kind: 'content-type',
        uidOf: (definition) => `api::${api}.${singularName(definition) ?? name}`,
      })
  }
  return files
}

/** `content-types/<name>.json`: the API is named after the type. */
async function flatFiles(base: string): Promise<readonly SchemaFile[]> {
  const folder = path.join(base, 'content-types')
  return (await listFiles(folder, '.json')).map((name) => ({
    file: path.join(folder, `${name}.json`),
    kind: 'content-type',
    uidOf: (definition) => {
      const singular = singularName(definition) ?? name
      return `api::${singular}.${singular}`
    },
  }))
}

/** `extensions/<plugin>/content-types/<name>/schema.json`: attributes added to a built-in type. */
async function extensionFiles(base: string): Promise<readonly SchemaFile[]> {
  const files: SchemaFile[] = []
  for (const plugin of await listFolders(path.join(base, 'extensions'))) {
    const types = path.join(base, 'extensions', plugin, 'content-types')
    for (const name of await listFolders(types))
      files.push({
        file: path.join(types, name, 'schema.json'),
        kind: 'content-type',
        uidOf: () => `plugin::${plugin}.${name}`,
      })
  }
  return files
}

/** `components/<category>/<name>.json` */
async function componentFiles(base: string): Promise<readonly SchemaFile[]> {
  const files: SchemaFile[] = []
  for (const category of await listFolders(path.join(base, 'components'))) {
    const folder = path.join(base, 'components', category)
    for (const name of await listFiles(folder, '.json'))
      files.push({
        file: path.join(folder, `${name}.json`),
        kind: 'component',
        uidOf: () => `${category}.${name}`,
      })
  }
  return files
}

/** Strapi's uids are made of it and not of the folder's name, which is usually the same. */
function singularName(definition: Readonly<Record<string, unknown>>): string | undefined {
  const info = definition['info']
  const name = isObject(info) ? info['singularName'] : undefined
  return typeof name === 'string' && name !== '' ? name : undefined
}
