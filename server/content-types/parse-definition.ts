import path from 'node:path'
import type { Definition } from '../../engine/schema/content-type.js'
import { isObject } from '../../engine/values/is-object.js'
import { parseJsonObject } from '../project/parse-json-object.js'
import { readModule, type Skipped } from '../project/read-module.js'

export type ParsedDefinition =
  Readonly<{ definition: Definition; skipped: readonly Skipped[] }> | Readonly<{ fault: string }>

/**
 * Reads a definition, or an object with the definition as `schema`, from JSON or from a module's literal. Problems have
 * their position in the file.
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

/** Returns the skipped parts below a path, with paths relative to it. */
export const skippedBelow = (skipped: readonly Skipped[], prefix: string): readonly Skipped[] =>
  skipped.flatMap(({ path, line }) =>
    path.startsWith(prefix) ? [{ path: path.slice(prefix.length), line }] : [],
  )

/** Returns the name of a definition file, or undefined if Strapi does not load files with this extension. */
export function definitionName(file: string): string | undefined {
  const { name, ext } = path.parse(file)
  return extensions.includes(ext) && !name.endsWith('.d') ? name : undefined
}

/** Extensions of definition files, in order of precedence. */
export const extensions: readonly string[] = ['.json', '.js', '.ts', '.cjs', '.mjs']
