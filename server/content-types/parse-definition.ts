import path from 'node:path'
import type { Definition } from '../../engine/schema/content-type.js'
import { isObject } from '../../engine/values/is-object.js'
import { parseJsonObject } from '../project/parse-json-object.js'
import { readModule, type Skipped } from '../project/read-module.js'

export type ParsedDefinition =
  Readonly<{ definition: Definition; skipped: readonly Skipped[] }> | Readonly<{ fault: string }>

/**
 * The definition in a file of JSON, or in a module that exports one as a literal, itself or as its `schema`. A fault
 * says where in the file it is.
 */
export function parseDefinition(text: string, file: string): ParsedDefinition {
  if (file.endsWith('.json')) {
    const json = parseJsonObject(text)
    return 'fault' in json ? json : { definition: json.value, skipped: [] }
  }
  const module = readModule(text, file)
  if ('fault' in module) return module
  const { value } = module
  const inner = isObject(value) && isObject(value.schema) ? value.schema : value
  if (!isObject(inner)) return { fault: 'must export an object' }
  const outside = inner === value ? module.skipped.find(({ path }) => path === 'schema') : undefined
  if (outside !== undefined)
    return { fault: `"schema" is not a literal in this file (line ${outside.line})` }
  const skipped = skippedBelow(module.skipped, inner === value ? '' : 'schema.')
  return { definition: inner, skipped }
}

/** What was skipped below a path, with the rest of its own path. */
export const skippedBelow = (skipped: readonly Skipped[], prefix: string): readonly Skipped[] =>
  skipped.flatMap(({ path, line }) =>
    path.startsWith(prefix) ? [{ path: path.slice(prefix.length), line }] : [],
  )

/** Whether a file may hold a definition: a name, and what Strapi loads. */
export function definitionName(file: string): string | undefined {
  const { name, ext } = path.parse(file)
  return extensions.includes(ext) && !name.endsWith('.d') ? name : undefined
}

/** The first that is there counts. */
export const extensions: readonly string[] = ['.json', '.js', '.ts', '.cjs', '.mjs']
