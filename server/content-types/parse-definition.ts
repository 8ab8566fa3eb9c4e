import path from 'node:path'
import type { Definition } from '../../engine/schema/content-type.js'
import { isObject } from '../../engine/values/is-object.js'
import type { Skipped } from '../project/read-module.js'
import { readModule } from '../project/read-module.js'
import { repeatedKey } from './repeated-key.js'

export type ParsedDefinition =
  Readonly<{ definition: Definition; skipped: readonly Skipped[] }> | Readonly<{ fault: string }>

/**
 * The definition in a file of JSON, or in a module that exports one as a literal, itself or as its `schema`. A fault
 * says where in the file it is.
 */
export function parseDefinition(text: string, file: string): ParsedDefinition {
  if (file.endsWith('.json')) return parseJson(text)
  const module = readModule(text, file)
  if ('fault' in module) return module
  const { value } = module
  const inner = isObject(value) && isObject(value['schema']) ? value['schema'] : value
  if (!isObject(inner)) return { fault: 'must export an object' }
  const outside = inner === value ? module.skipped.find(({ path }) => path === 'schema') : undefined
  if (outside !== undefined)
    return { fault: `"schema" is no literal of this file (line ${outside.line})` }
  const prefix = inner === value ? '' : 'schema.'
  const skipped = module.skipped.flatMap(({ path, line }) =>
    path.startsWith(prefix) ? [{ path: path.slice(prefix.length), line }] : [],
  )
  return { definition: inner, skipped }
}

/** Whether a file may hold a definition: a name, and what Strapi loads. */
export function definitionName(file: string): string | undefined {
  const { name, ext } = path.parse(file)
  return extensions.includes(ext) && !name.endsWith('.d') ? name : undefined
}

/** The first that is there counts. */
export const extensions: readonly string[] = ['.json', '.js', '.ts', '.cjs', '.mjs']

function parseJson(text: string): ParsedDefinition {
  const json = text.startsWith('\uFEFF') ? text.slice(1) : text
  try {
    const definition: unknown = JSON.parse(json)
    if (!isObject(definition)) return { fault: 'must hold a JSON object' }
    const fault = repeatedKey(json)
    return fault === undefined ? { definition, skipped: [] } : { fault }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return { fault: `is not JSON: ${placed(message, json)}` }
  }
}

/** V8 tells an offset, if anything; people look for lines. Without one, the text ended too early. */
function placed(message: string, json: string): string {
  const offset = /at position (\d+)/.exec(message)?.[1]
  const before = json.slice(0, offset === undefined ? json.length : Number(offset))
  const line = before.split('\n').length
  const column = before.length - before.lastIndexOf('\n')
  return `${message.replace(/ \(line \d+ column \d+\)$/, '')} (line ${line}, column ${column})`
}
