import type { SourcedDefinition } from '../../engine/schema/define/define-all.js'
import type { Stored, StoredDefinition } from './definition-store.js'
import { keepCollections, renamedTypes, replacedTypes, withNewUids } from './renamed-types.js'
import { withPrevious, attributesOf, storedName, type Attributes } from './schema-chain.js'
import { isObject } from '../../engine/values/is-object.js'
import { storedNameOf } from '../../engine/schema/names.js'

/** Definitions, and what they change in the database. */
export type Merged = ReturnType<typeof mergeDefinitions>

/**
 * Merges the definitions of files with those of the database. Files win, even over types created at run time.
 * Definitions without a file are removed; their entries stay. Data of renamed types and attributes stays where it is.
 * Returns the definitions, the changes for the database, and the previous definitions under the current uids of their
 * types.
 */
export function mergeDefinitions(
  given: readonly SourcedDefinition[],
  { definitions: stored, previous }: Pick<Stored, 'definitions' | 'previous'>,
) {
  const known = stored.map(sourced)
  const all = withPrevious(previous, known)
  const renamed = renamedTypes(given, known, all)
  // A renamed type that was unused for a while is only in `previous`.
  const gone = all.filter(
    ({ uid }) => renamed.some(({ from }) => from === uid) && !isIn(known, uid),
  )
  const past = {
    before: withNewUids([...known, ...gone], renamed),
    everDefined: withNewUids(all, renamed),
    replaced: replacedTypes(all, renamed),
  }
  const inPlace = keepCollections(given, known, all)
  const files = keepRenamed(inPlace, past.before, past.everDefined)
  const storedByUid = new Map(stored.map((definition) => [definition._id, definition]))
  const fileUids = new Set(files.map(({ uid }) => uid))
  const others = stored.filter(({ _id }) => !fileUids.has(_id))
  return {
    ...past,
    renamed,
    definitions: [...files, ...others.filter(isFromDatabase).map(sourced)],
    changes: {
      put: files.map(asStored).filter((file) => !isSame(file, storedByUid.get(file._id))),
      remove: others.filter((definition) => !isFromDatabase(definition)).map(({ _id }) => _id),
    },
  }
}

const isIn = (definitions: readonly SourcedDefinition[], uid: string): boolean =>
  definitions.some((one) => one.uid === uid)

/** Converts a stored definition to the form from which registries are created. */
export function sourced({ _id, kind, definition }: StoredDefinition): SourcedDefinition {
  return { kind, uid: _id, source: `_schemas/${_id}`, definition }
}

function asStored({ uid, kind, definition }: SourcedDefinition): StoredDefinition {
  return { _id: uid, kind, definition, source: 'file' }
}

function isFromDatabase({ source }: StoredDefinition): boolean {
  return source === 'database'
}

/** Compares as text, because the order of attributes matters (docs/internals/decisions.md, "Order of members"). */
function isSame(file: StoredDefinition, stored: StoredDefinition | undefined): boolean {
  return (
    stored?.source === file.source &&
    stored.kind === file.kind &&
    JSON.stringify(stored.definition) === JSON.stringify(file.definition)
  )
}

/**
 * Adds `storedAs` to renamed attributes whose field differs from `renamedFrom`: either `renamedFrom` is itself the name
 * of a renamed attribute, or this database never had that attribute.
 *
 * @param everDefined all attributes that definitions ever had
 */
function keepRenamed(
  files: readonly SourcedDefinition[],
  stored: readonly SourcedDefinition[],
  everDefined: readonly SourcedDefinition[],
): readonly SourcedDefinition[] {
  const attributesByUid = (definitions: readonly SourcedDefinition[]) =>
    new Map(definitions.map((one) => [one.uid, attributesOf(one)]))
  const now = attributesByUid(stored)
  const ever = attributesByUid(everDefined)
  return files.map((file) => {
    const known = { now: now.get(file.uid) ?? {}, ever: ever.get(file.uid) ?? {} }
    const attributes = Object.entries(attributesOf(file))
    const kept = attributes.map(([name, given]): readonly [string, Attributes[string]] => {
      // An attribute that is not an object is rejected later.
      const field = isObject(given) ? keptField(name, given, known) : undefined
      return [name, field === undefined ? given : { ...given, storedAs: field }]
    })
    if (kept.every(([, given], at) => given === attributes[at]?.[1])) return file
    return { ...file, definition: { ...file.definition, attributes: Object.fromEntries(kept) } }
  })
}

/** Returns the name of the field that stores an attribute, or undefined if its definition already implies the name. */
function keptField(
  name: string,
  { renamedFrom, storedAs }: Attributes[string],
  { now, ever }: Readonly<{ now: Attributes; ever: Attributes }>,
): string | undefined {
  if (typeof renamedFrom !== 'string' || storedAs !== undefined) return undefined
  // If the stored definitions already contain this rename, the database knows the attribute by its current name.
  // Otherwise, the database may know the attribute by its previous, current or a later name.
  const isTaken = now[name]?.renamedFrom === renamedFrom
  const later = Object.keys(now).filter((one) => now[one]?.renamedFrom === name)
  const names = isTaken ? [name] : [renamedFrom, name, ...later]
  const known = names.find((one) => Object.hasOwn(ever, one))
  const attribute = known === undefined ? undefined : ever[known]
  if (known === undefined || attribute === undefined) return undefined
  const field = storedName([known, attribute])
  return field === storedNameOf(renamedFrom) ? undefined : field
}
