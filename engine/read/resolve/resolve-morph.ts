import type { RawPopulate, RawPopulateOptions } from '../parse/raw-query.js'
import type { MorphAttribute } from '../../schema/attribute.js'
import { isReadable, isScalar } from '../../schema/attribute.js'
import type { ContentType } from '../../schema/content-type.js'
import type { FileUser } from '../../schema/file-uses.js'
import { fileUsers, related } from '../../schema/file-uses.js'
import { morphTarget, morphTargets } from '../../schema/morph-targets.js'
import type { Model } from './resolve-attributes.js'
import { unknownName } from './resolve-attributes.js'
import { firstPopulatable, param, refuseOptions, refuseUnfragmented } from './populate-errors.js'
import type { Here } from './resolve-populate-options.js'
import { resolvePopulatedEdge } from './resolve-populate-options.js'
import type { Edge, PopulatedEdge, PopulatedMorph, Selection } from './query.js'
import type { Scope } from './scope.js'
import { mayFind } from './scope.js'

type Select = (here: Here, model: Model, options: RawPopulateOptions) => Selection

/**
 * Resolves a populated polymorphic relation, with the options of each type in `on` or the same for all. Leaves out
 * types that the caller may not find. Throws a 400 for unsupported options, and for unknown types and names.
 */
export function resolveMorph(
  here: Here,
  model: Model,
  attribute: MorphAttribute,
  options: RawPopulateOptions,
  select: Select,
): PopulatedMorph {
  return resolveTypes(here, model, attribute, options, select, {
    shown: findableMorphTargets(here.scope),
    edgeTo: (target) => ({ via: 'morph', attribute, target }),
  })
}

/**
 * Resolves `related` of a file: the entries that use it; null if the caller may find none. Throws like `resolveMorph`.
 */
export function resolveUses(
  here: Here,
  model: Model,
  options: RawPopulateOptions,
  select: Select,
): PopulatedMorph | null {
  const users = fileUsers(here.scope.registry)
  const shown = users.filter(({ type }) => mayFind(here.scope, type))
  const placesIn = ({ uid }: ContentType): FileUser['places'] =>
    users.find(({ type }) => type.uid === uid)?.places ?? []
  const populated = resolveTypes(here, model, related, options, select, {
    shown: shown.map(({ type }) => type),
    edgeTo: (target) => ({ via: 'use', target, places: placesIn(target) }),
  })
  return users.length > 0 && shown.length === 0 ? null : populated
}

type Sides = Readonly<{
  shown: readonly ContentType[]
  edgeTo: (target: ContentType) => Edge
}>

function resolveTypes(
  here: Here,
  model: Model,
  attribute: MorphAttribute,
  options: RawPopulateOptions,
  select: Select,
  { shown, edgeTo }: Sides,
): PopulatedMorph {
  refuseOptions(here.path, options, ['pagination'])
  refuseUnfragmented(model, attribute, options)
  const fragments = options.on ?? fragmentsOfAll(here, shown, options.populate)
  // As in Strapi, errors in a fragment of `on` do not contain the path to it.
  const inner = options.on === undefined ? here : { ...here, path: [] }
  const edges = new Map<string, PopulatedEdge>()
  for (const [uid, fragment] of fragments) {
    const target = targetNamed(here, shown, uid)
    const edge = resolveFragment(here, inner, attribute.name, edgeTo(target), fragment, select)
    if (edge !== null && leadsSomewhere(edge))
      edges.set(uid, { ...edge, count: options.count === true })
  }
  const refined = [...fragments.values()].some(
    ({ filters, sort = [] }) => filters !== undefined || sort.length > 0,
  )
  const wrapped = here.scope.rules.wrapFilteredRelations && attribute.many && refined
  return { kind: 'morph', attribute, edges, count: options.count === true, wrapped }
}

/** A type without fields for files uses no file. */
const leadsSomewhere = ({ edge }: PopulatedEdge): boolean =>
  edge.via !== 'use' || edge.places.length > 0

/** Throws a 400 for an unknown type, and for one that cannot be the target of a polymorphic relation. */
function targetNamed(here: Here, shown: readonly ContentType[], uid: string): ContentType {
  const target = morphTarget(here.scope.registry, uid)
  if (target !== undefined) return target
  const known = shown.map((type) => type.uid)
  throw unknownName(uid, here.path, param, known)
}

function resolveFragment(
  here: Here,
  inner: Here,
  name: string,
  edge: Edge,
  fragment: RawPopulateOptions,
  select: Select,
): PopulatedEdge | null {
  const { target } = edge
  refuseOptions(here.path, fragment, ['on', 'count', 'pagination'])
  if (fragment.star === true) throw firstPopulatable(here.path, target.attributes.values())
  return resolvePopulatedEdge(inner, name, edge, fragment, (model) =>
    select(inner, model, fragment),
  )
}

/** Populates a name in the types that have it. Throws a 400 for a name that no type has. */
function fragmentsOfAll(
  here: Here,
  types: readonly ContentType[],
  populate: RawPopulate | undefined,
): ReadonlyMap<string, RawPopulateOptions> {
  if (populate === undefined || populate === '*') {
    return new Map(types.map(({ uid }) => [uid, { populate }]))
  }
  for (const { name } of populate) {
    if (!types.some((type) => canPopulate(type, name))) throw unknownName(name, here.path, param)
  }
  return new Map(
    types.map((type) => [
      type.uid,
      { populate: populate.filter(({ name }) => canPopulate(type, name)) },
    ]),
  )
}

function canPopulate(type: ContentType, name: string): boolean {
  const attribute = type.attributes.get(name)
  if (attribute === undefined)
    return name === 'localizations' && type.localized && type.hidden?.has(name) !== true
  return !isScalar(attribute) && isReadable(attribute)
}

/** Returns the types that a polymorphic relation may show to this caller. */
export function findableMorphTargets(scope: Scope): readonly ContentType[] {
  return morphTargets(scope.registry).filter((type) => mayFind(scope, type))
}
