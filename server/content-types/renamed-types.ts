import type { SourcedDefinition } from '../../engine/schema/define/define-all.js'
import { linkTypes } from '../../engine/schema/define/define-registry.js'
import { isObject } from '../../engine/values/is-object.js'
import type { RenamedType } from './definition-store.js'
import { withPrevious } from './schema-chain.js'

/**
 * Returns the types in `files` whose data is stored under another uid: the one in `renamedFrom`, or a newer one if the
 * files revert a rename.
 *
 * @param everDefined all definitions so far, including those of removed types
 */
export function renamedTypes(
  files: readonly SourcedDefinition[],
  stored: readonly SourcedDefinition[],
  everDefined: readonly SourcedDefinition[],
): readonly RenamedType[] {
  const own = new Map(files.map((file) => [file.uid, file]))
  const now = new Map(stored.map((one) => [one.uid, one]))
  const ever = new Set(everDefined.map(({ uid }) => uid))
  return files.flatMap(({ kind, uid, definition }) => {
    if (kind !== 'content-type') return []
    const from = definition.renamedFrom
    if (typeof from === 'string' && ever.has(from) && !own.has(from))
      return now.get(uid)?.definition.renamedFrom === from ? [] : [{ from, to: uid }]
    if (ever.has(uid)) return []
    const back = stored.find((one) => one.definition.renamedFrom === uid && !own.has(one.uid))
    return back === undefined ? [] : [{ from: back.uid, to: uid }]
  })
}

/** Returns definitions whose uid a renamed type takes over: their entries would be lost. */
export function replacedTypes(
  definitions: readonly SourcedDefinition[],
  renamed: readonly RenamedType[],
): readonly SourcedDefinition[] {
  const uids = new Set(definitions.map(({ uid }) => uid))
  const taken = new Set(renamed.filter(({ from }) => uids.has(from)).map(({ to }) => to))
  return definitions.filter(({ uid }) => taken.has(uid))
}

/** Replaces the uids of renamed types, also in targets of relations. */
export function withNewUids(
  definitions: readonly SourcedDefinition[],
  renamed: readonly RenamedType[],
): readonly SourcedDefinition[] {
  if (renamed.length === 0) return definitions
  const uids = new Map(renamed.map(({ from, to }) => [from, to]))
  const newUid = (uid: unknown): unknown => uids.get(uid as string) ?? uid
  const replaced = replacedTypes(definitions, renamed)
  const moved = definitions
    .filter((one) => !replaced.includes(one))
    .map((one) => {
      const attributes = isObject(one.definition.attributes) ? one.definition.attributes : {}
      const retargeted = Object.entries(attributes).map(([name, attribute]) => [
        name,
        isObject(attribute) && 'target' in attribute
          ? { ...attribute, target: newUid(attribute.target) }
          : attribute,
      ])
      const definition = { ...one.definition, attributes: Object.fromEntries(retargeted) as object }
      return { ...one, uid: String(newUid(one.uid)), definition }
    })
  return withPrevious(replaced, moved)
}

/**
 * Sets `collectionName` of renamed types to keep their collections. If a file lacks `renamedFrom`, because it is older
 * or the line was removed, the rename is read from `_schemas`.
 */
export function keepCollections(
  files: readonly SourcedDefinition[],
  stored: readonly SourcedDefinition[],
  everDefined: readonly SourcedDefinition[],
): readonly SourcedDefinition[] {
  const renamed = new Map(
    renamedTypes(files, stored, everDefined).map(({ from, to }) => [to, from]),
  )
  const types = renamed.size === 0 ? undefined : linkTypes(everDefined).contentTypes
  const now = new Map(stored.map(({ uid, definition }) => [uid, definition]))
  const own = new Set<unknown>(files.map(({ uid }) => uid))
  return files.map((file) => {
    const { uid, definition } = file
    const known = now.get(uid)
    const collectionName =
      types?.get(renamed.get(uid) ?? '')?.collectionName ??
      (known?.renamedFrom === undefined ? undefined : known.collectionName)
    if (collectionName === undefined) return file
    const kept = { ...definition, collectionName }
    if (definition.renamedFrom !== undefined) return { ...file, definition: kept }
    const renamedFrom = renamed.get(uid) ?? known?.renamedFrom
    const isItsOwn = linkTypes(files).contentTypes.get(uid)?.collectionName === collectionName
    if (isItsOwn || own.has(renamedFrom)) return file
    return { ...file, definition: { ...kept, renamedFrom } }
  })
}
