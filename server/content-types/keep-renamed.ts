import type { SourcedDefinition } from '../../engine/schema/define/define-all.js'
import { isObject } from '../../engine/values/is-object.js'
import { storedNameOf } from '../../engine/schema/names.js'
import { attributesOf, storedName, type Attributes } from './schema-chain.js'

/**
 * Adds `storedAs` to renamed attributes if this database has their values in another field than `renamedFrom` implies.
 * That happens if `renamedFrom` is itself the name of a renamed attribute, or if this database never had it.
 * @param stored the definitions of the database
 * @param previous the same with every attribute so far
 */
export function keepRenamed(
  files: readonly SourcedDefinition[],
  stored: readonly SourcedDefinition[],
  previous: readonly SourcedDefinition[],
): readonly SourcedDefinition[] {
  const attributesByUid = (definitions: readonly SourcedDefinition[]) =>
    new Map(definitions.map((one) => [one.uid, attributesOf(one)]))
  const now = attributesByUid(stored)
  const ever = attributesByUid(previous)
  return files.map((file) => {
    const known = { now: now.get(file.uid) ?? {}, ever: ever.get(file.uid) ?? {} }
    const attributes = Object.entries(attributesOf(file))
    const kept = attributes.map(([name, given]): readonly [string, Attributes[string]] => {
      // A value that is not an object is rejected later.
      const field = isObject(given) ? keptField(name, given, known) : undefined
      return [name, field === undefined ? given : { ...given, storedAs: field }]
    })
    if (kept.every(([, given], at) => given === attributes[at]?.[1])) return file
    return { ...file, definition: { ...file.definition, attributes: Object.fromEntries(kept) } }
  })
}

/** Returns the field that an attribute keeps, or undefined if its definition already implies it. */
function keptField(
  name: string,
  { renamedFrom, storedAs }: Attributes[string],
  { now, ever }: Readonly<{ now: Attributes; ever: Attributes }>,
): string | undefined {
  if (typeof renamedFrom !== 'string' || storedAs !== undefined) return undefined
  // If the database already has this `renamedFrom`, only the present name counts. Otherwise it may know the attribute
  // by its previous name, by this one, or by a name that followed this one.
  const isTaken = now[name]?.renamedFrom === renamedFrom
  const later = Object.keys(now).filter((one) => now[one]?.renamedFrom === name)
  const names = isTaken ? [name] : [renamedFrom, name, ...later]
  const known = names.find((one) => Object.hasOwn(ever, one))
  const attribute = known === undefined ? undefined : ever[known]
  if (known === undefined || attribute === undefined) return undefined
  const field = storedName([known, attribute])
  return field === storedNameOf(renamedFrom) ? undefined : field
}
