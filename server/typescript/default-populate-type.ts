import type { ContentType } from '../../engine/schema/content-type.js'
import { isObject } from '../../engine/values/is-object.js'
import { literalType } from './source-text.js'

/** What GETs of a type populate that name nothing, as a type; `trees`: of `api.rest.defaultPopulate`, by uid. */
export function defaultPopulateType(
  type: ContentType,
  trees: Readonly<Record<string, unknown>>,
): string {
  const { options } = type.definition
  const own = isObject(options) ? options['defaultPopulate'] : undefined
  const tree = Object.hasOwn(trees, type.uid) ? trees[type.uid] : own
  return tree === undefined || tree === '' || tree === null
    ? 'undefined'
    : literalType(populateOf(tree))
}

/** As clients write it: names with commas are lists, and flags are no texts. */
function populateOf(tree: unknown): unknown {
  if (typeof tree === 'string') return tree === '*' ? tree : namesIn([tree])
  if (Array.isArray(tree)) return namesIn(tree)
  if (!isObject(tree)) return []
  return Object.fromEntries(Object.entries(tree).map(([name, options]) => [name, partOf(options)]))
}

function partOf(options: unknown): unknown {
  if (!isObject(options)) return !['false', '0', 'f', false].includes(options as string)
  return Object.fromEntries(
    Object.entries(options).map(([name, option]) => {
      if (name === 'populate') return [name, populateOf(option)]
      if (name === 'on' && isObject(option)) return [name, mapped(option)]
      if (name === 'count') return [name, partOf(option)]
      return [name, name === 'fields' && option !== '*' ? namesIn([option].flat()) : option]
    }),
  )
}

const mapped = (on: Readonly<Record<string, unknown>>): unknown =>
  Object.fromEntries(Object.entries(on).map(([uid, options]) => [uid, partOf(options)]))

const namesIn = (texts: readonly unknown[]): readonly string[] =>
  texts
    .flatMap((text) => String(text).split(','))
    .map((name) => name.trim())
    .filter((name) => name !== '')
