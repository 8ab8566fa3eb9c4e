import type { RawPopulate, RawPopulateOptions } from './raw-query.js'
import type { MorphAttribute } from '../../schema/attribute.js'
import { isReadable, isScalar } from '../../schema/attribute.js'
import type { ContentType } from '../../schema/content-type.js'
import { morphTarget, morphTargets } from '../../schema/morph-targets.js'
import type { Ground } from './resolve-attributes.js'
import { unknownName } from './resolve-attributes.js'
import { firstPopulatable, param, refuseOptions, refuseUnfragmented } from './populate-errors.js'
import type { Here } from './resolve-populate-options.js'
import { resolvePopulatedEdge } from './resolve-populate-options.js'
import type { Edge, PopulatedEdge, PopulatedMorph, Selection } from './query.js'
import type { Scope } from './scope.js'
import { mayFind } from './scope.js'

type Select = (here: Here, ground: Ground, options: RawPopulateOptions) => Selection

/**
 * A polymorphic relation that is populated: with what `on` asks of each type that it names, else alike for all types.
 * Types that the caller may not find are left out, as the targets of any relation are. Throws 400 for options that
 * are not for all types, and for types and names that there are not.
 */
export function resolveMorph(
  here: Here,
  ground: Ground,
  attribute: MorphAttribute,
  options: RawPopulateOptions,
  select: Select,
): PopulatedMorph {
  refuseOptions(here.path, options, ['pagination'])
  refuseUnfragmented(ground, attribute, options)
  const fragments = options.on ?? fragmentsOfAll(here, options.populate)
  // Names in a fragment are told without the path that leads to it, as in Strapi.
  const inner = options.on === undefined ? here : { ...here, path: [] }
  const edges = new Map<string, PopulatedEdge>()
  for (const [uid, fragment] of fragments) {
    const edge = resolveFragment(here, inner, edgeTo(here, attribute, uid), fragment, select)
    if (edge !== null) edges.set(uid, { ...edge, count: options.count === true })
  }
  const refined = [...fragments.values()].some(
    ({ filters, sort = [] }) => filters !== undefined || sort.length > 0,
  )
  const wrapped = here.scope.rules.wrapFilteredRelations && attribute.many && refined
  return { kind: 'morph', attribute, edges, count: options.count === true, wrapped }
}

type MorphEdge = Extract<Edge, { via: 'morph' }>

/** @throws 400 for what is no type, or none that content refers to */
function edgeTo(here: Here, attribute: MorphAttribute, uid: string): MorphEdge {
  const target = morphTarget(here.scope.registry, uid)
  if (target !== undefined) return { via: 'morph', attribute, target }
  const known = shownTypes(here).map((type) => type.uid)
  throw unknownName(uid, here.path, param, known)
}

function resolveFragment(
  here: Here,
  inner: Here,
  edge: MorphEdge,
  fragment: RawPopulateOptions,
  select: Select,
): PopulatedEdge | null {
  const { attribute, target } = edge
  refuseOptions(here.path, fragment, ['on', 'count', 'pagination'])
  if (fragment.star === true) throw firstPopulatable(here.path, target.attributes.values())
  return resolvePopulatedEdge(inner, attribute.name, edge, fragment, (ground) =>
    select(inner, ground, fragment),
  )
}

/** Without `on`, a name is populated in the types that have it; there must be one. */
function fragmentsOfAll(
  here: Here,
  populate: RawPopulate | undefined,
): ReadonlyMap<string, RawPopulateOptions> {
  const types = shownTypes(here)
  if (populate === undefined || populate === '*') {
    const options = populate === undefined ? {} : { populate }
    return new Map(types.map(({ uid }) => [uid, options]))
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
  if (attribute === undefined) return name === 'localizations' && type.localized
  return !isScalar(attribute) && isReadable(attribute)
}

const shownTypes = ({ scope }: Here): readonly ContentType[] => findableMorphTargets(scope)

/** The types that a polymorphic relation may show to this caller. */
export function findableMorphTargets(scope: Scope): readonly ContentType[] {
  return morphTargets(scope.registry).filter((type) => mayFind(scope, type))
}
