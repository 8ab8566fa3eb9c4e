import type { ContentType, Structure } from '../../schema/content-type.js'
import type { Registry } from '../../schema/registry.js'
import { typeOf } from '../../schema/registry.js'
import type { ReferringAttribute } from '../../schema/edge-attribute.js'
import { targetOf, isReferring } from '../../schema/edge-attribute.js'
import type { Failure } from './failure.js'
import type { Body } from './read-body.js'
import { isObject } from '../../values/is-object.js'
import type { RelationItem, RelationPayload } from './relation-payload.js'
import { itemOf, namesIn, readRelation, showRelation } from './relation-payload.js'
import type { Member } from '../../schema/members-in.js'
import { membersIn } from '../../schema/members-in.js'

/** A found target. Messages name it by its record `id`, and by its type if the payload has one. `mime`: of a file. */
export type Target = Readonly<{ documentId: string; id: number; type?: string; mime?: string }>

/** Scope in which the targets of a write's relations are resolved. */
export type EntryScope = Readonly<{
  type: ContentType
  registry: Registry
  /** documentId of the written document. The document may refer to itself before it exists in this locale. */
  documentId: string
  locale: string | null
  /** Locale for the look-up of targets if the entry itself is not localized. */
  targetLocale: string
}>

/** Targets to look up: of one type in one locale. */
export type WantedTargets = Readonly<{
  type: ContentType
  locale: string | null
  documentIds: ReadonlySet<string>
  ids: ReadonlySet<number>
}>

/** Found targets, by documentId, and documentIds by the record ids that were looked up. */
export type FoundTargets = Readonly<{
  /** Record ids. */
  ids: ReadonlyMap<string, number>
  /** MIME types of files, as they are stored; absent = not looked up. */
  mimes?: ReadonlyMap<string, unknown> | undefined
  documentIds: ReadonlyMap<number, string>
}>

/** Finds a target that a body names; undefined if it does not exist. */
export type FindTarget = (uid: string, item: RelationItem) => Target | undefined

/** Returns the locale in which a target must exist (docs/storage.md, "Relations"). */
export function targetLocaleOf(
  scope: EntryScope,
  target: ContentType,
  item?: RelationItem,
): string | null {
  if (!target.localized) return null
  return scope.type.localized ? scope.locale : (item?.locale ?? scope.targetLocale)
}

/** Returns all targets that the relations and media of a body name (`edgesIn`). */
export function wantedTargets(edges: readonly Edge[], scope: EntryScope): readonly WantedTargets[] {
  const wanted = new Map<
    string,
    { type: ContentType; locale: string | null; documentIds: Set<string>; ids: Set<number> }
  >()
  for (const { attribute, value } of edges)
    for (const item of namesIn(readRelation(value))) {
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

/**
 * Creates the function that finds a target among the looked-up ones. `found` has the results of `wanted` in the same
 * order.
 */
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
 * Checks that the targets of a body's relations exist.
 * @param edges of the body
 * @returns a failure for each documentId that does not exist in the locale, and at most one other failure, as in Strapi
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
    for (const item of namesIn(withoutLostPlaces(payload, edge.attribute, find))) {
      const uid = targetTypeOf(edge.attribute, item)
      if (find(uid, item) !== undefined) continue
      if ('documentId' in item.target) {
        failures.push(notFound(item.target.documentId, uid, edge.path, item, scope))
        continue
      }
      // Disconnecting a missing target is no error.
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

/** Missing record ids of one type, and the first field that names one of them. */
type Missing = Readonly<{ ids: Set<number>; edge: Edge }>

const edgeFailure = (message: string, { path, value }: Edge): Failure => ({
  path,
  message,
  value: showRelation(value),
})

/** If the payload has `strict: false`, replaces positions next to missing targets by the end. */
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

/** Returns an error for entries of a dynamic zone without a component, because their relations are unknown. */
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

/** Creates a failure of the body as a whole. It shows the body, with relations in their long form. */
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
  return { path, message, value: undefined }
}

/** Returns the uid of an item's type. For polymorphic relations, `readMorphKeys` has already checked the type. */
function targetTypeOf(attribute: ReferringAttribute, { type = '' }: RelationItem): string {
  return attribute.type === 'morph' ? type : targetOf(attribute)
}

const keyOf = (uid: string, locale: string | null): string => `${uid} ${locale ?? ''}`

/** The value of a relation or media field, at any depth of a body. */
export type Edge = Readonly<{
  attribute: ReferringAttribute
  value: unknown
  path: readonly string[]
}>

/**
 * Returns all relations and media that a body names, including those in components. Values of a wrong type are skipped.
 */
export function edgesIn(structure: Structure, body: unknown, registry: Registry): readonly Edge[] {
  return membersIn(structure, body, registry).filter(isEdge)
}

const isEdge = (member: Member): member is Member & Edge => isReferring(member.attribute)
