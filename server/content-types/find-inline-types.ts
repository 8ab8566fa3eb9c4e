import path from 'node:path'
import { isObject, objectOf } from '../../engine/values/is-object.js'
import { readModule } from '../project/read-module.js'
import { findFile, readInside } from '../project/safe-folder.js'
import { extensions, skippedBelow, type ParsedDefinition } from './parse-definition.js'

/** A type from a plugin's list of types. `name` is absent if its entry cannot be read. */
export type InlineType = Readonly<{
  file: string
  name?: string | undefined
  parsed: ParsedDefinition
}>

/**
 * Returns the types in the `index` of a plugin's `content-types`, such as `{ order: { schema } }`. A definition is read
 * if it is a literal in that file. Otherwise the result contains the problem and its line.
 */
export async function findInlineTypes(
  root: string,
  folder: string,
): Promise<readonly InlineType[]> {
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
