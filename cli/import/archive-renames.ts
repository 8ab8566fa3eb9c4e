import type { SourcedDefinition } from '../../engine/schema/define/define-all.js'
import { linkTypes } from '../../engine/schema/define/define-registry.js'
import { isObject, objectOf } from '../../engine/values/is-object.js'
import type { RenamedType } from '../../server/content-types/definition-store.js'
import { sourced } from '../../server/content-types/merge-definitions.js'
import { attributesOf, storedName } from '../../server/content-types/schema-chain.js'
import { plainDocumentOf } from '../../server/backup/document-lines.js'
import type { Overview } from './archive-overview.js'

/** The types and attributes whose names in the archive differ from those in this project. */
export type Renames = Readonly<{
  types: readonly RenamedType[]
  /** The renamed attributes. Each `uid` is that of the attribute's type or component in this project. */
  attributes: readonly RenamedAttribute[]
}>

type RenamedAttribute = RenamedType & Readonly<{ uid: string }>

type Archived = Pick<Overview, 'definitions' | 'schema' | 'end'>

/**
 * Finds what this project has renamed with `renamedFrom` since the archive was written. After several renames, the
 * archive may use an earlier name than `renamedFrom`; the collection or field then identifies the type or attribute.
 * @param there definitions of the project, with the fields and collections of the database
 */
export function findRenames(archive: Archived, there: readonly SourcedDefinition[]): Renames {
  const types = findTypes(archive, there)
  const uidHere = uidsBy(types)
  const archived = new Map(archive.definitions.map((one) => [uidHere(one._id), sourced(one)]))
  const attributes = there.flatMap((one) => {
    const previous = archived.get(one.uid)
    return previous === undefined ? [] : findAttributes(previous, one)
  })
  return { types, attributes }
}

/** Returns a function that maps the uid of a type in the archive to its uid in this project. */
export function uidsBy(types: readonly RenamedType[]): (uid: string) => string {
  const uids = new Map(types.map(({ from, to }) => [from, to]))
  return (uid) => uids.get(uid) ?? uid
}

function findTypes(archive: Archived, there: readonly SourcedDefinition[]): readonly RenamedType[] {
  const { definitions, end } = archive
  const archived = new Set([...definitions.map(({ _id }) => _id), ...Object.keys(end.entries)])
  const own = new Set(there.map(({ uid }) => uid))
  const isPrevious = (uid: unknown): uid is string =>
    typeof uid === 'string' && archived.has(uid) && !own.has(uid)
  const named = new Set(there.map(({ definition }) => definition.renamedFrom))
  const types = linkTypes(there).contentTypes
  const uidByCollection = new Map(
    [...linkTypes(definitions.map(sourced)).contentTypes.values()]
      .filter(({ uid }) => isPrevious(uid) && !named.has(uid))
      .map(({ uid, collectionName }) => [collectionName, uid]),
  )
  const found = there.flatMap(({ uid, definition: { renamedFrom } }) => {
    if (renamedFrom === undefined || archived.has(uid)) return []
    const from = isPrevious(renamedFrom)
      ? renamedFrom
      : uidByCollection.get(types.get(uid)?.collectionName ?? '')
    return from === undefined ? [] : [{ from, to: uid }]
  })
  const uidHere = uidsBy(found)
  // Renames that were begun, but not finished, when the archive was written.
  const begun = begunIn(archive).filter(({ from }) => !archived.has(from) && !own.has(from))
  return [...found, ...begun.map(({ from, to }) => ({ from, to: uidHere(to) }))]
}

function begunIn({ schema }: Archived): readonly RenamedType[] {
  const version = schema.find(({ _id }) => _id === 'version')
  const { renaming } = plainDocumentOf({ renaming: (version?.renaming ?? []) as unknown })
  return renaming as readonly RenamedType[]
}

function findAttributes(
  archived: SourcedDefinition,
  { uid, ...there }: SourcedDefinition,
): readonly RenamedAttribute[] {
  const previous = attributesOf(archived)
  const own = attributesOf({ uid, ...there })
  const isPrevious = (name: unknown): name is string =>
    typeof name === 'string' && Object.hasOwn(previous, name) && !Object.hasOwn(own, name)
  const named = new Set(Object.values(own).map((given) => objectOf(given).renamedFrom))
  const nameByField = new Map(
    Object.entries(previous)
      .filter(([name, given]) => isPrevious(name) && !named.has(name) && isObject(given))
      .map(([name, given]) => [storedName([name, given]), name]),
  )
  return Object.entries(own).flatMap(([name, given]) => {
    const { renamedFrom } = objectOf(given)
    if (renamedFrom === undefined || Object.hasOwn(previous, name)) return []
    const from = isPrevious(renamedFrom) ? renamedFrom : nameByField.get(storedName([name, given]))
    return from === undefined ? [] : [{ uid, from, to: name }]
  })
}
