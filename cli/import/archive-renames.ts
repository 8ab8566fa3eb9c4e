import type { SourcedDefinition } from '../../engine/schema/define/define-all.js'
import { linkTypes } from '../../engine/schema/define/define-registry.js'
import { isObject } from '../../engine/values/is-object.js'
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
    if (previous === undefined) return []
    const found = findRenamed(attributesIn(previous), attributesIn(one))
    return found.map((renamed) => ({ uid: one.uid, ...renamed }))
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
  const previousTypes = linkTypes(definitions.map(sourced)).contentTypes
  const previousUids = [...definitions.map(({ _id }) => _id), ...Object.keys(end.entries)]
  const archived = new Map(
    previousUids.map((uid) => [uid, { place: previousTypes.get(uid)?.collectionName }]),
  )
  const types = linkTypes(there).contentTypes
  const own = new Map(
    there.map(({ uid, definition: { renamedFrom } }) => [
      uid,
      { renamedFrom, place: types.get(uid)?.collectionName },
    ]),
  )
  const found = findRenamed(archived, own)
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

/** The attributes of a type or component, by name. */
const attributesIn = (definition: SourcedDefinition): ReadonlyMap<string, Named> =>
  new Map(
    Object.entries(attributesOf(definition)).map(([name, given]) => [
      name,
      isObject(given) ? { renamedFrom: given.renamedFrom, place: storedName([name, given]) } : {},
    ]),
  )

/** A type or an attribute: its previous name, and the collection or field that stores its values. */
type Named = Readonly<{ renamedFrom?: unknown; place?: string | undefined }>

/** Finds which types or attributes of this project have another name in the archive. Both maps are by name. */
function findRenamed(
  archived: ReadonlyMap<string, Named>,
  own: ReadonlyMap<string, Named>,
): readonly RenamedType[] {
  const isPrevious = (name: unknown): name is string =>
    typeof name === 'string' && archived.has(name) && !own.has(name)
  const named = new Set([...own.values()].map(({ renamedFrom }) => renamedFrom))
  const nameByPlace = new Map(
    [...archived]
      .filter(([name, { place }]) => isPrevious(name) && !named.has(name) && place !== undefined)
      .map(([name, { place }]) => [place, name]),
  )
  return [...own].flatMap(([to, { renamedFrom, place }]) => {
    if (renamedFrom === undefined || archived.has(to)) return []
    const from = isPrevious(renamedFrom) ? renamedFrom : nameByPlace.get(place)
    return from === undefined ? [] : [{ from, to }]
  })
}
