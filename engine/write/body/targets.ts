import type { ContentType, Structure } from '../../schema/content-type.js'
import { type Registry, typeOf } from '../../schema/registry.js'
import { type ReferringAttribute, targetOf, isReferring } from '../../schema/edge-attribute.js'
import type { Failure } from './failure.js'
import type { Body } from './read-body.js'
import { isObject } from '../../values/is-object.js'
import {
  type RelationItem,
  type RelationPayload,
  itemOf,
  itemsOf,
  readRelation,
  showRelation,
} from './relation-payload.js'
import { type Member, membersIn } from '../../schema/members-in.js'
import { mediaTypeOf } from '../../schema/media-type.js'

/** An existing target. Error messages name its `id` and, if the payload does, its `type`. Only files have `mime`. */
export type Target = Readonly<{ documentId: string; id: number; type?: string; mime?: string }>

/** Determines how the targets of a written document are found. */
export type EntryScope = Readonly<{
  type: ContentType
  registry: Registry
  /** The document may refer to itself even before it exists in this locale. */
  documentId: string
  locale: string | null
  /** Locale of targets if the document itself is not localized. */
  targetLocale: string
}>

/** Targets of one type and locale to look up, by documentId or by record id. */
export type WantedTargets = Readonly<{
  type: ContentType
  locale: string | null
  documentIds: ReadonlySet<string>
  ids: ReadonlySet<number>
}>

/** The existing targets among `WantedTargets`. */
export type FoundTargets = Readonly<{
  ids: ReadonlyMap<string, number>
  /** Stored MIME types of files, by documentId, if they were looked up. */
  mimes?: ReadonlyMap<string, unknown> | undefined
  documentIds: ReadonlyMap<number, string>
}>

/** Returns the target of an item; undefined if it does not exist. */
export type FindTarget = (uid: string, item: RelationItem) => Target | undefined

/** Returns the locale in which a target must exist (docs/internals/storage.md, "Relations"). */
export function targetLocaleOf(
  scope: EntryScope,
  target: ContentType,
  item?: RelationItem,
): string | null {
  if (!target.localized) return null
  return scope.type.localized ? scope.locale : (item?.locale ?? scope.targetLocale)
}

/** Groups the targets to look up by type and locale. */
export function wantedTargets(edges: readonly Edge[], scope: EntryScope): readonly WantedTargets[] {
  const wanted = new Map<
    string,
    { type: ContentType; locale: string | null; documentIds: Set<string>; ids: Set<number> }
  >()
  for (const { attribute, value } of edges)
    for (const item of itemsOf(readRelation(value))) {
      const type = typeOf(scope.registry, targetTypeOf(attribute, item))
      const locale = targetLocaleOf(scope, type, item)
      const key = keyOf(type.uid, locale)
      const group = wanted.get(key) ?? { type, locale, documentIds: new Set(), ids: new Set() }
      wanted.set(key, group)
      if ('documentId' in item.target) group.documentIds.add(item.target.documentId)
      else group.ids.add(item.target.id)
    }
  return [...wanted.values()]
}

/** Creates a function that finds a target in `found`, the results for `wanted` in the same order. */
export function targetFinder(
  scope: EntryScope,
  wanted: readonly WantedTargets[],
  found: readonly FoundTargets[],
): FindTarget {
  const groups = new Map(
    wanted.map(({ type, locale }, at) => [keyOf(type.uid, locale), found[at]] as const),
  )
  return (uid, item) => {
    const type = typeOf(scope.registry, uid)
    const group = groups.get(keyOf(uid, targetLocaleOf(scope, type, item)))
    const documentId =
      'documentId' in item.target ? item.target.documentId : group?.documentIds.get(item.target.id)
    if (documentId === undefined) return undefined
    const id = group?.ids.get(documentId)
    const mime = group?.mimes?.get(documentId)
    if (id !== undefined)
      return typeof mime === 'string' ? { documentId, id, mime } : { documentId, id }
    const itself = uid === scope.type.uid && documentId === scope.documentId
    return itself ? { documentId, id: 0 } : undefined
  }
}

/**
 * Checks that the targets of all relation and media fields of a body exist.
 * @param edges the fields (`edgesIn`)
 * @returns one failure for each missing documentId, plus at most one other failure, as in Strapi
 */
export function checkTargets(
  body: Body,
  edges: readonly Edge[],
  scope: EntryScope,
  find: FindTarget,
): readonly Failure[] {
  const missing = new Map<string, Missing>()
  const failures: Failure[] = []
  let invalid: Edge | undefined
  for (const edge of edges) {
    const payload = readRelation(edge.value)
    if (payload.kind === 'invalid') invalid ??= edge
    const left = payload.kind === 'edit' ? new Set(payload.disconnect) : new Set<RelationItem>()
    for (const item of itemsOf(withoutLostPlaces(payload, edge.attribute, find))) {
      const uid = targetTypeOf(edge.attribute, item)
      if (find(uid, item) !== undefined) continue
      if ('documentId' in item.target) {
        failures.push(notFound(item.target.documentId, uid, edge.path, item, scope))
        continue
      }
      // A record to disconnect need not exist.
      if (left.has(item)) continue
      const known = missing.get(uid) ?? { ids: new Set<number>(), edge }
      known.ids.add(item.target.id)
      missing.set(uid, known)
    }
  }
  const problem = zoneProblem(body, scope.type)
  if (problem !== undefined) return [...failures, wholeFailure(problem, body, scope)]
  if (invalid !== undefined) return [...failures, edgeFailure('Invalid relations', invalid)]
  for (const [uid, { ids, edge }] of missing) {
    const message = `${ids.size} relation(s) of type ${uid} associated with this entity do not exist`
    return [...failures, edgeFailure(message, edge)]
  }
  return failures
}

/** Missing record ids of one type, and the first field that contains one. */
type Missing = Readonly<{ ids: Set<number>; edge: Edge }>

const edgeFailure = (message: string, { path, value }: Edge): Failure => ({
  path,
  message,
  value: showRelation(value),
})

/** With `strict: false`, replaces positions next to a missing target by the end of the list. */
function withoutLostPlaces(
  payload: RelationPayload,
  attribute: ReferringAttribute,
  find: FindTarget,
): RelationPayload {
  if (payload.kind !== 'edit' || payload.lenient !== true) return payload
  const connect = payload.connect.map((item): RelationItem => {
    if (!('of' in item.position)) return item
    const neighbour = itemOf(item.position, item)
    const isThere = find(targetTypeOf(attribute, neighbour), neighbour) !== undefined
    return isThere ? item : { ...item, position: { at: 'end' } }
  })
  return { ...payload, connect }
}

/** Returns an error if an entry of a dynamic zone names no component, so that its relations are unknown. */
function zoneProblem(body: Body, type: ContentType): string | undefined {
  for (const attribute of type.attributes.values()) {
    const value = attribute.type === 'dynamiczone' ? body[attribute.name] : undefined
    if (!Array.isArray(value)) continue
    for (const item of value as readonly unknown[]) {
      if (!isObject(item)) return 'Invalid relations'
      if (item['__component'] === undefined)
        return 'Cannot build relations store from dynamiczone, component identifier is undefined'
    }
  }
  return undefined
}

/** Creates a failure that shows the whole body, with relations in normalized form. */
function wholeFailure(message: string, body: Body, { type, locale }: EntryScope): Failure {
  const shown = Object.entries(body).map(([key, value]) => {
    const kind = type.attributes.get(key)?.type
    const isRelation = kind === 'relation' || kind === 'media' || kind === 'morph'
    return [key, isRelation ? showRelation(value) : value] as const
  })
  return {
    path: [],
    message,
    value: {
      ...Object.fromEntries(shown),
      ...(type.draftAndPublish ? { publishedAt: null } : {}),
      ...(type.localized ? { locale } : {}),
    },
  }
}

function notFound(
  id: string,
  uid: string,
  path: Failure['path'],
  item: RelationItem,
  scope: EntryScope,
): Failure {
  const locale = targetLocaleOf(scope, typeOf(scope.registry, uid), item)
  const message = `Document with id "${id}", locale "${locale ?? 'null'}" not found`
  const expected = `the id or documentId of an entry of ${uid}`
  return { path, message, value: undefined, help: { expected } }
}

/** In polymorphic relations, `readMorphKeys` has checked the type. */
function targetTypeOf(attribute: ReferringAttribute, { type = '' }: RelationItem): string {
  return attribute.type === 'morph' ? type : targetOf(attribute)
}

const keyOf = (uid: string, locale: string | null): string => `${uid} ${locale ?? ''}`

/** A relation or media field in a body. */
export type Edge = Readonly<{
  attribute: ReferringAttribute
  value: unknown
  path: readonly string[]
}>

/** Returns all relation and media fields in a body, including those in components. */
export function edgesIn(structure: Structure, body: unknown, registry: Registry): readonly Edge[] {
  return membersIn(structure, body, registry).filter(isEdge)
}

const isEdge = (member: Member): member is Member & Edge => isReferring(member.attribute)

/**
 * Finds files in a body that their media attribute does not allow (`allowedTypes`; docs/internals/decisions.md, "Types
 * of files in a media attribute"). Files that are already stored are not checked.
 */
export function checkAllowedTypes(edges: readonly Edge[], find: FindTarget): readonly Failure[] {
  return edges.flatMap(({ attribute, value, path }) => {
    if (attribute.type !== 'media' || attribute.allowedTypes.length === 0) return []
    const { allowedTypes } = attribute
    const uid = targetOf(attribute)
    const refused = givenBy(readRelation(value)).find((item) => {
      const mime = find(uid, item)?.mime
      return mime !== undefined && !allowedTypes.includes(mediaTypeOf(mime))
    })
    if (refused === undefined) return []
    const file = 'id' in refused.target ? refused.target.id : `"${refused.target.documentId}"`
    const expected = allowedTypes.join(', ')
    const message = `${path.join('.')} allows files of these types only: ${expected}. The file ${file} has another type`
    return [{ path, message, value: showRelation(value), help: { expected } }]
  })
}

/** Returns the items that a payload sets or connects. */
function givenBy(payload: RelationPayload): readonly RelationItem[] {
  if (payload.kind === 'invalid') return []
  return payload.kind === 'set' ? payload.items : payload.connect
}
