import type {
  ComponentAttribute,
  DynamicZoneAttribute,
  MorphAttribute,
} from '../../schema/attribute.js'
import { isReadable, isScalar } from '../../schema/attribute.js'
import type { Component, ContentType } from '../../schema/content-type.js'
import { isEdgeAttribute } from '../../schema/edge-attribute.js'
import { builtIn, componentOf, typeOf } from '../../schema/registry.js'
import type { Edge } from './query.js'
import type { Model } from './resolve-attributes.js'
import { creatorNames, edgeOf, structureOf } from './resolve-attributes.js'
import { isIgnoredTarget } from './resolve-ignored-names.js'
import { findableMorphTargets } from './resolve-morph.js'
import { localizationsOf } from './resolve-versions.js'
import type { Scope } from './scope.js'
import { mayFind } from './scope.js'

/** A relation, or the references of a polymorphic relation to one type. */
export type EdgePart = Readonly<{
  kind: 'edge'
  name: string
  edge: Edge
  target: Model
  /** Attributes of the target that lead back to the source, in the notation of `namesOf`. */
  back: readonly string[]
}>

/** Returns the name of a part's attribute, for a polymorphic relation also with the type (`items api::photo.photo`). */
export const namesOf = ({ name, edge }: EdgePart): readonly string[] =>
  edge.via === 'morph' ? [name, `${name} ${edge.target.uid}`] : [name]

/** An attribute that this caller can populate. */
export type Part =
  | EdgePart
  | Readonly<{ kind: 'morph'; name: string; attribute: MorphAttribute; edges: readonly EdgePart[] }>
  | Readonly<{
      kind: 'component'
      name: string
      attribute: ComponentAttribute
      component: Component
    }>
  | Readonly<{
      kind: 'zone'
      name: string
      attribute: DynamicZoneAttribute
      components: readonly Component[]
    }>

type Ignored = ReadonlySet<string>

/** Returns the parts that this caller can populate, without the attributes and collections in `ignore`. */
export function findParts(scope: Scope, model: Model, ignore: Ignored): readonly Part[] {
  const { registry } = scope
  const parts: Part[] = []
  for (const attribute of structureOf(model).attributes.values()) {
    const { name } = attribute
    if (ignore.has(name) || isScalar(attribute) || !isReadable(attribute)) continue
    if (isEdgeAttribute(attribute)) {
      const edge = edgeOf(registry, attribute)
      if (isIgnoredTarget(edge.target, ignore) || !mayFind(scope, edge.target)) continue
      const target: Model = { kind: 'type', type: edge.target }
      parts.push({ kind: 'edge', name, edge, target, back: backOf(edge, model) })
    } else if (attribute.type === 'component') {
      const component = componentOf(registry, attribute.component)
      parts.push({ kind: 'component', name, attribute, component })
    } else if (attribute.type === 'morph') {
      parts.push({
        kind: 'morph',
        name,
        attribute,
        edges: edgesOf(scope, model, attribute, ignore),
      })
    } else {
      const components = attribute.components.map((uid) => componentOf(registry, uid))
      parts.push({ kind: 'zone', name, attribute, components })
    }
  }
  return model.kind === 'component' ? parts : [...parts, ...specialEdges(scope, model.type, ignore)]
}

function edgesOf(
  scope: Scope,
  model: Model,
  attribute: MorphAttribute,
  ignore: Ignored,
): readonly EdgePart[] {
  const { name } = attribute
  return findableMorphTargets(scope)
    .filter((target) => !isIgnoredTarget(target, ignore))
    .map((target) => {
      const edge: Edge = { via: 'morph', attribute, target }
      const to: Model = { kind: 'type', type: target }
      return { kind: 'edge', name, edge, target: to, back: backOf(edge, model) }
    })
}

/**
 * Returns the attributes of a target that lead back along a relation: its inverse sides. If an inverse side is a
 * polymorphic to-many relation, only its references to the type at this end of the relation lead back.
 */
function backOf(edge: Edge, from: Model): readonly string[] {
  if (edge.via === 'morph') {
    // A relation in a component has no inverse side.
    if (from.kind === 'component') return []
    return [...edge.target.attributes.values()].flatMap((far) =>
      far.type === 'relation' &&
      far.referredAs !== undefined &&
      far.target === from.type.uid &&
      far.inverseSide === edge.attribute.name
        ? [far.name]
        : [],
    )
  }
  if (edge.via !== 'relation') return []
  const { inverseSide, referredAs } = edge.attribute
  if (inverseSide === undefined) return []
  const far = edge.target.attributes.get(inverseSide)
  return far?.type === 'morph' && far.many ? [`${inverseSide} ${referredAs}`] : [inverseSide]
}

function specialEdges(scope: Scope, of: ContentType, ignore: Ignored): readonly Part[] {
  const parts: EdgePart[] = []
  if (of.populateCreatorFields && scope.rules.deepPopulate.creators) {
    const target = typeOf(scope.registry, builtIn.adminUser)
    const model: Model = { kind: 'type', type: target, only: creatorNames }
    for (const name of ['createdBy', 'updatedBy'] as const)
      parts.push({
        kind: 'edge',
        name,
        edge: { via: 'creator', name, target },
        target: model,
        back: [],
      })
  }
  if (of.localized) {
    const edge = localizationsOf(scope, of)
    const target: Model = { kind: 'type', type: of }
    parts.push({ kind: 'edge', name: 'localizations', edge, target, back: [] })
  }
  return parts.filter(({ name }) => !ignore.has(name) && of.hidden?.has(name) !== true)
}
