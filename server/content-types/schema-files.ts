import path from 'node:path'
import { builtInDefinitions } from '../../engine/schema/define/built-in.js'
import type { SourcedDefinition } from '../../engine/schema/define/define-all.js'
import { SchemaError, type SchemaProblem } from '../../engine/schema/schema-error.js'
import { isObject } from '../../engine/values/is-object.js'
import {
  fieldsOf,
  hasCustomField,
  resolveCustomFields,
  unknownFieldWarnings,
  type CustomFields,
  type UnknownFields,
} from './custom-fields.js'
import { findSchemaFiles } from './find-schema-files.js'
import { isStrapiProject } from '../project/find-base.js'
import { parseDefinition, type ParsedDefinition } from './parse-definition.js'
import { statedFields } from './stated-fields.js'
import { isFolder, readInside } from '../project/safe-folder.js'

export type ReadingOptions = Readonly<{
  /** Setting `schema.customFields`. */
  customFields?: CustomFields | undefined
  /**
   * Definitions in the database and in an import. Their types of custom fields apply to fields that the project does
   * not declare.
   */
  before?: readonly Pick<SourcedDefinition, 'definition'>[] | undefined
  /** Called for each part of a definition that Strapi accepts and Quire ignores or interprets differently. */
  warn?: (warning: SchemaProblem) => void
}>

/**
 * Reads the definitions in `schemaDir` (`findSchemaFiles`). Throws an Error if the folder does not exist or is no
 * project, and a SchemaError that names all unreadable files.
 */
export async function readSchemaFiles(
  schemaDir: string,
  { customFields = {}, before = [], warn = () => undefined }: ReadingOptions = {},
): Promise<readonly SourcedDefinition[]> {
  if (!(await isFolder(schemaDir))) throw new Error(`There is no folder ${schemaDir}`)
  const files = await findSchemaFiles(schemaDir)
  const isForThem = files.length > 0 || (await isFolder(path.join(schemaDir, 'content-types')))
  if (!isForThem && !isStrapiProject(schemaDir)) throw new Error(nothingIn(schemaDir))
  const problems: SchemaProblem[] = []
  const definitions = new Map<string, SourcedDefinition>()
  for (const { file, kind, uidOf, extends: isExtension, tolerated, parsed: given } of files) {
    const about = (message: string): SchemaProblem => ({ source: file, path: '', message })
    const parsed = given ?? readDefinition(schemaDir, file)
    if ('fault' in parsed) {
      if (tolerated === true && !file.endsWith('.json')) warn(about(`is left out: ${parsed.fault}`))
      else problems.push(about(parsed.fault))
      continue
    }
    for (const { path, line } of parsed.skipped)
      warn({ source: file, path, message: `is not a literal, and is ignored (line ${line})` })
    const { definition } = parsed
    const uid = uidOf(definition)
    const sourced = { kind, uid, source: file, definition }
    const other = definitions.get(uid)
    if (other !== undefined && isExtension !== true)
      problems.push(about(`"${uid}" is also defined in ${other.source}`))
    else if (other === undefined && isExtension === true && !isWhole(sourced))
      warn(about(`is left out: it extends "${uid}", which does not exist`))
    else {
      const laidOver = { ...other?.definition, ...definition }
      definitions.set(uid, { ...sourced, definition: laidOver })
    }
  }
  if (problems.length > 0) throw new SchemaError(problems)
  const read = [...definitions.values()]
  if (!read.some(hasCustomField)) return read
  const known = { ...fieldsOf(before), ...(await statedFields(schemaDir)), ...customFields }
  const unknown: UnknownFields = new Map()
  const resolved = read.map((one) => resolveCustomFields(one, known, unknown))
  for (const warning of unknownFieldWarnings(unknown)) warn(warning)
  return resolved
}

/** Returns whether a definition is complete or extends a built-in type. */
function isWhole({ uid, definition: { info } }: SourcedDefinition): boolean {
  return builtInDefinitions.has(uid) || (isObject(info) && typeof info.singularName === 'string')
}

function readDefinition(schemaDir: string, file: string): ParsedDefinition {
  if (path.extname(file) === '')
    return { fault: 'is missing: add schema.json, schema.js or schema.ts' }
  const read = readInside(schemaDir, file)
  return 'fault' in read ? read : parseDefinition(read.text, file)
}

const nothingIn = (schemaDir: string): string =>
  `There are no definitions in ${schemaDir}. It must be a Strapi project, or contain ` +
  'content-types/*.json or api/*/content-types/*/schema.json'
