import { didYouMean } from '../../engine/errors/nearest-name.js'
import type { SourcedDefinition } from '../../engine/schema/define/define-all.js'
import { storedNameOf } from '../../engine/schema/names.js'
import { isObject } from '../../engine/values/is-object.js'
import type { RenamedType } from './definition-store.js'
import { attributesOf, storedName } from './schema-chain.js'

type UnknownRename = Readonly<{ uid: string; path: string; message: string }>

/**
 * Finds each new `renamedFrom` with a name that the database never had. Omits new databases and new types, where such a
 * name is correct and has no effect.
 *
 * @param everDefined every type and attribute that the database has had, under its current uid
 */
export function unknownRenames(
  definitions: readonly SourcedDefinition[],
  everDefined: readonly SourcedDefinition[],
  renamed: readonly RenamedType[],
): readonly UnknownRename[] {
  if (everDefined.length === 0) return []
  const known = new Map(everDefined.map((one) => [one.uid, one]))
  const served = new Set(definitions.map(({ uid }) => uid))
  const gone = everDefined
    .filter(({ kind, uid }) => kind === 'content-type' && !served.has(uid))
    .map(({ uid }) => uid)
  return definitions.flatMap((definition) => {
    const { kind, uid } = definition
    const before = known.get(uid)
    const from = kind === 'content-type' ? definition.definition.renamedFrom : undefined
    const isKnown =
      typeof from !== 'string' ||
      known.has(from) ||
      before?.definition.renamedFrom === from ||
      renamed.some(({ to }) => to === uid)
    return [
      ...(isKnown ? [] : [{ uid, ...unknown('renamedFrom', 'content-type', from, gone) }]),
      ...(before === undefined ? [] : unknownAttributes(definition, before)),
    ]
  })
}

function unknownAttributes(
  definition: SourcedDefinition,
  before: SourcedDefinition,
): readonly UnknownRename[] {
  const { uid } = definition
  const now = attributesOf(definition)
  const previous = attributesOf(before)
  const fields = new Set(Object.entries(previous).map(storedName))
  const gone = Object.keys(previous).filter((name) => !Object.hasOwn(now, name))
  return Object.entries(now).flatMap(([name, given]) => {
    const from = isObject(given) ? given.renamedFrom : undefined
    if (typeof from !== 'string' || previous[name]?.renamedFrom === from) return []
    if (Object.hasOwn(previous, from) || fields.has(storedNameOf(from))) return []
    return { uid, ...unknown(`attributes.${name}.renamedFrom`, 'attribute', from, gone) }
  })
}

function unknown(path: string, what: string, from: string, gone: readonly string[]) {
  const suggestion = didYouMean(from, gone) || '.'
  return {
    path,
    message: `the previous definitions have no ${what} "${from}"${suggestion} This line has no effect`,
  }
}
