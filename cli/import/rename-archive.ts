import type { Document } from 'mongodb'
import type { Attribute } from '../../engine/schema/attribute.js'
import type { ContentType, Structure } from '../../engine/schema/content-type.js'
import type { SourcedDefinition } from '../../engine/schema/define/define-all.js'
import { linkTypes } from '../../engine/schema/define/define-registry.js'
import { claimedComponent } from '../../engine/schema/members-in.js'
import { referencePlaces } from '../../engine/schema/reference-places.js'
import { builtIn, type Registry } from '../../engine/schema/registry.js'
import { isObject, objectOf, type PlainObject } from '../../engine/values/is-object.js'
import { referencesField, withReferences } from '../../engine/values/references.js'
import type { Member } from '../../server/backup/members.js'
import { uidOfLegacyId, type OwnKind } from '../../server/backup/parts.js'
import { plainDocumentOf } from '../../server/backup/document-lines.js'
import type { StoredDefinition } from '../../server/content-types/definition-store.js'
import { sourced } from '../../server/content-types/merge-definitions.js'
import { withNewUids } from '../../server/content-types/renamed-types.js'
import { attributesOf } from '../../server/content-types/schema-chain.js'
import { definitionsIn, type Overview } from './archive-overview.js'
import { uidsBy, type Renames } from './archive-renames.js'

/** Functions that convert the content of an archive to the names of this project. */
export type Renaming = ReturnType<typeof createRenaming>

/** Returns the overview of an archive with the names, collections and fields of this project. */
export function renameOverview(
  overview: Overview,
  renames: Renames,
  there: readonly SourcedDefinition[],
): Overview {
  const { manifest, end, uids } = overview
  const uidHere = uidsBy(renames.types)
  const own = new Map(there.map((one) => [one.uid, one]))
  const schema = overview.schema.map((document): Document => {
    if ('definition' in document) {
      const uid = uidHere(String(document._id))
      const definition = renameDefinition(
        { uid, definition: document.definition as PlainObject },
        own.get(uid),
        renames,
      )
      return { ...document, _id: uid, definition }
    }
    if ('definitions' in document) {
      const previous = document.definitions as readonly SourcedDefinition[]
      return { ...document, definitions: withNewUids(previous, renames.types) }
    }
    // The import itself applies the unfinished renames of the archive.
    return 'renaming' in document ? { ...document, renaming: [] } : document
  })
  const entries = Object.entries(end.entries).map(([uid, count]) => [uidHere(uid), count] as const)
  const { only, exclude } = manifest.asked
  return {
    ...overview,
    manifest: {
      ...manifest,
      asked: { only: only.map(uidHere), exclude: exclude.map(uidHere) },
    },
    end: { ...end, entries: Object.fromEntries(entries) },
    schema,
    definitions: definitionsIn(schema),
    uids: new Set([...uids].map(uidHere)),
  }
}

/**
 * Converts a definition of the archive to the names of this project. `there` is the project's definition of the same
 * uid.
 */
function renameDefinition(
  { uid, definition }: Pick<SourcedDefinition, 'uid' | 'definition'>,
  there: SourcedDefinition | undefined,
  renames: Renames,
): PlainObject {
  const uidHere = uidsBy(renames.types)
  const nameHere = namesBy(renames)
  const own = there === undefined ? {} : attributesOf(there)
  const attributes = Object.entries(objectOf(definition.attributes)).map(([previous, given]) => {
    const name = nameHere(uid, previous)
    if (!isObject(given)) return [name, given] as const
    const target = typeof given.target === 'string' ? uidHere(given.target) : undefined
    const retargeted = {
      ...given,
      ...(target !== undefined && { target }),
      ...renamedMembers(given, sidesOf, (other) => nameHere(target ?? '', other)),
      ...renamedMembers(given, ['targetField'], (other) => nameHere(uid, other)),
    }
    return [name, placedAs(retargeted, objectOf(own[name]), ['storedAs', 'renamedFrom'])] as const
  })
  const renamed = { ...definition, attributes: Object.fromEntries(attributes) }
  return there === undefined
    ? renamed
    : placedAs(renamed, there.definition, ['collectionName', 'renamedFrom'])
}

/** Members of a relation that contain the name of an attribute of its target. */
const sidesOf = ['mappedBy', 'inversedBy', 'morphBy']

const renamedMembers = (
  given: PlainObject,
  members: readonly string[],
  nameOf: (name: string) => string,
): PlainObject =>
  Object.fromEntries(
    members.flatMap((member) => {
      const name = given[member]
      return typeof name === 'string' ? [[member, nameOf(name)] as const] : []
    }),
  )

/**
 * If `given` or `other` has `renamedFrom`, returns `given` with the `members` of `other`, because these determine where
 * values are stored.
 */
function placedAs(given: PlainObject, other: PlainObject, members: readonly string[]): PlainObject {
  if (given.renamedFrom === undefined && other.renamedFrom === undefined) return given
  const kept = Object.entries(given).filter(([member]) => !members.includes(member))
  const placed = members.filter((member) => other[member] !== undefined)
  return Object.fromEntries([...kept, ...placed.map((member) => [member, other[member]] as const)])
}

/**
 * Returns a function that maps an attribute's name in the archive to its name in this project. The function's `uid` is
 * that of the type or component in this project.
 */
function namesBy({ attributes }: Renames): (uid: string, name: string) => string {
  const names = new Map(attributes.map(({ uid, from, to }) => [keyOf(uid, from), to]))
  return (uid, name) => names.get(keyOf(uid, name)) ?? name
}

const keyOf = (uid: string, name: string): string => JSON.stringify([uid, name])

/**
 * Creates functions that convert the documents of an archive to the names and fields of this project.
 * @param archived the archive's definitions, with their original names
 */
export function createRenaming(
  renames: Renames,
  archived: readonly StoredDefinition[],
  registry: Registry,
) {
  const uidHere = uidsBy(renames.types)
  const fieldsOf = createFields(renames, archived)
  const all = [...registry.contentTypes.values(), ...registry.components.values()]
  const isNeeded = renames.types.length > 0 || all.some((one) => fieldsOf(one).moved.size > 0)

  const renameFields = (structure: Structure, fields: PlainObject): PlainObject => {
    const { byField, moved } = fieldsOf(structure)
    const renamed = Object.entries(fields).flatMap(([field, value]) => {
      const attribute = byField.get(field)
      if (attribute !== undefined) return [[attribute.storedAs, renameValue(attribute, value)]]
      // The archive has a value of a removed attribute in this field, which now belongs to a renamed one. Drop the
      // value.
      return moved.has(field) ? [] : [[field, value]]
    })
    return Object.fromEntries(renamed) as PlainObject
  }
  const renameValue = (attribute: Attribute, value: unknown): unknown => {
    if (Array.isArray(value)) return value.map((one) => renameValue(attribute, one))
    if (!isObject(value)) return value
    if (attribute.type === 'morph')
      return typeof value.__type === 'string' ? { ...value, __type: uidHere(value.__type) } : value
    const component = claimedComponent(value, attribute, registry)
    return component === undefined ? value : renameFields(component, value)
  }
  const renamePending = (edge: PlainObject): PlainObject => {
    const owner = uidHere(String(edge.owner))
    const type = registry.contentTypes.get(owner)
    const field = String(edge.field)
    const attribute = type && fieldsOf(type).byField.get(field)
    return { ...edge, owner, field: attribute?.storedAs ?? field }
  }
  const renameActions = (permissions: unknown): unknown =>
    Array.isArray(permissions)
      ? permissions.map((action) => renameAction(String(action), renames))
      : permissions

  return {
    member: (member: Member): Member =>
      member.kind === 'entries' ? { ...member, uid: uidHere(member.uid) } : member,

    /** Converts a version of an entry. Its numbers keep their BSON types. */
    version: (type: ContentType, version: Document): Document => {
      if (!isNeeded) return version
      const renamed: Record<string, unknown> = { ...renameFields(type, version) }
      if (type.uid === builtIn.role) renamed.permissions = renameActions(renamed.permissions)
      if (isObject(renamed._stamps)) {
        const { byField } = fieldsOf(type)
        const stamps = Object.entries(renamed._stamps)
        renamed._stamps = Object.fromEntries(
          stamps.map(([field, stamp]) => [byField.get(field)?.storedAs ?? field, stamp]),
        )
      }
      if (Array.isArray(renamed._pending))
        renamed._pending = (renamed._pending as readonly PlainObject[]).map(renamePending)
      return referencesField in renamed
        ? withReferences(renamed, referencePlaces(type, registry))
        : renamed
    },

    /** Converts a document that is not an entry, such as an API token or a sequence. */
    own: (kind: OwnKind, document: Document): Document => {
      const { _id } = plainDocumentOf({ _id: document._id as unknown }) as { _id: unknown }
      if (kind === 'tokens')
        return 'permissions' in document
          ? { ...document, permissions: renameActions(document.permissions) }
          : document
      if (typeof _id !== 'string' || kind === 'settings') return document
      const uid = kind === 'legacyIds' ? uidOfLegacyId(_id) : _id
      return { ...document, _id: `${uidHere(uid)}${_id.slice(uid.length)}` }
    },
  }
}

function renameAction(action: string, { types }: Renames): string {
  const renamed = types.find(({ from }) => action.startsWith(`${from}.`))
  return renamed === undefined ? action : `${renamed.to}${action.slice(renamed.from.length)}`
}

/**
 * `byField` maps the archive's fields to this project's attributes. `moved` contains this project's fields whose values
 * the archive has in other fields.
 */
type Fields = Readonly<{ byField: ReadonlyMap<string, Attribute>; moved: ReadonlySet<string> }>

function createFields(
  renames: Renames,
  archived: readonly StoredDefinition[],
): (structure: Structure) => Fields {
  const { contentTypes, components } = linkTypes(archived.map(sourced))
  const uidHere = uidsBy(renames.types)
  const previous = new Map(
    [...contentTypes, ...components].map(([uid, one]): [string, Structure] => [uidHere(uid), one]),
  )
  const previousNames = new Map(
    renames.attributes.map(({ uid, from, to }) => [keyOf(uid, to), from]),
  )
  const find = (structure: Structure): Fields => {
    const { uid } = structure
    const before = previous.get(uid)
    const fields = [...structure.attributes.values()].map((attribute) => {
      const name = previousNames.get(keyOf(uid, attribute.name)) ?? attribute.name
      const isRenamed =
        name !== attribute.name || isRenamedIn(before, name) || isRenamedIn(structure, name)
      const field = isRenamed ? before?.attributes.get(name)?.storedAs : undefined
      return { attribute, field: field ?? attribute.storedAs }
    })
    const moved = fields.filter(({ field, attribute }) => field !== attribute.storedAs)
    return {
      // Renamed attributes come last, so that they take precedence over a new attribute that uses their old field.
      byField: new Map([...fields, ...moved].map(({ field, attribute }) => [field, attribute])),
      moved: new Set(moved.map(({ attribute }) => attribute.storedAs)),
    }
  }
  const known = new Map<Structure, Fields>()
  return (structure) => {
    const fields = known.get(structure) ?? find(structure)
    known.set(structure, fields)
    return fields
  }
}

const isRenamedIn = (structure: Structure | undefined, name: string): boolean =>
  objectOf(objectOf(structure?.definition.attributes)[name]).renamedFrom !== undefined
