import type { SourcedDefinition } from '../../engine/schema/define-all.js'
import { isObject } from '../../engine/values/is-object.js'
import { storedNameOf } from '../../engine/schema/names.js'
import { attributesOf, storedName, type Attributes } from './schema-chain.js'

/**
 * Definition files whose renamed attributes name the field where this database has their values, where that is not made
 * from their `renamedFrom`: the name of an attribute that was renamed, too, or that this database never knew.
 * @param stored the definitions of the database
 * @param former these, with every attribute that there ever was
 */
export function keepRenamed(
  files: readonly SourcedDefinition[],
  stored: readonly SourcedDefinition[],
  former: readonly SourcedDefinition[],
): readonly SourcedDefinition[] {
  const attributesByUid = (definitions: readonly SourcedDefinition[]) =>
    new Map(definitions.map((one) => [one.uid, attributesOf(one)]))
  const now = attributesByUid(stored)
  const ever = attributesByUid(former)
  return files.map((file) => {
    const known = { now: now.get(file.uid) ?? {}, ever: ever.get(file.uid) ?? {} }
    const attributes = Object.entries(attributesOf(file))
    const kept = attributes.map(([name, given]): readonly [string, Attributes[string]] => {
      // One that is no object is refused later.
      const field = isObject(given) ? keptField(name, given, known) : undefined
      return [name, field === undefined ? given : { ...given, storedAs: field }]
    })
    if (kept.every(([, given], at) => given === attributes[at]?.[1])) return file
    return { ...file, definition: { ...file.definition, attributes: Object.fromEntries(kept) } }
  })
}

/** The field that an attribute keeps; undefined where its definition says it. */
function keptField(
  name: string,
  { renamedFrom, storedAs }: Attributes[string],
  { now, ever }: Readonly<{ now: Attributes; ever: Attributes }>,
): string | undefined {
  if (typeof renamedFrom !== 'string' || storedAs !== undefined) return undefined
  // The database knows the line already; the attribute by its former name, or by this one; or its name after this one.
  const isTaken = now[name]?.renamedFrom === renamedFrom
  const later = Object.keys(now).filter((one) => now[one]?.renamedFrom === name)
  const names = isTaken ? [name] : [renamedFrom, name, ...later]
  const known = names.find((one) => Object.hasOwn(ever, one))
  const attribute = known === undefined ? undefined : ever[known]
  if (known === undefined || attribute === undefined) return undefined
  const field = storedName([known, attribute])
  return field === storedNameOf(renamedFrom) ? undefined : field
}
