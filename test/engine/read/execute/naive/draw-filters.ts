import { isScalar } from '../../../../../engine/schema/attribute.js'
import type { Structure } from '../../../../../engine/schema/content-type.js'
import { isEdgeAttribute, isMany } from '../../../../../engine/schema/edge-attribute.js'
import type { Registry } from '../../../../../engine/schema/registry.js'
import { builtIn, componentOf, typeOf } from '../../../../../engine/schema/registry.js'
import { documentIdsOf } from './draw-world.js'
import type { Draw } from './draw.js'
import type { FilterNode, Filters, FilterValue } from './query.js'
import { samples } from './sample-values.js'
import { hasText, scalarTypeOf, shownScalars } from './values.js'
import { isEntry } from './world.js'
import type { ScalarType } from '../../../../../engine/values/scalar-type.js'

type Making = Readonly<{ draw: Draw; registry: Registry }>

/** Draws conditions on entries or component values, nested up to `depth`. */
export function drawFilters(
  draw: Draw,
  registry: Registry,
  structure: Structure,
  depth: number,
): Filters {
  const making = { draw, registry }
  return logic(making, depth, (left) => {
    const [first = 'id', ...rest] = draw.shuffled(filterable(structure, left)).slice(0, 2)
    const names = draw.chance(15) ? [first, ...rest] : [first]
    return Object.fromEntries(names.map((name) => [name, about(making, structure, name, left)]))
  })
}

function logic(making: Making, depth: number, leaf: (depth: number) => Filters): Filters {
  const inner = (): Filters => logic(making, depth - 1, leaf)
  switch (depth <= 0 ? 0 : making.draw.index(12)) {
    case 1:
      return { $and: [inner(), inner()] }
    case 2:
      return { $or: [inner(), inner()] }
    case 3:
    case 4:
      return { $not: inner() }
    case 5:
      return { $not: [inner(), inner()] }
    default:
      return leaf(depth)
  }
}

function filterable(structure: Structure, depth: number): readonly string[] {
  const scalars = shownScalars(structure).map(({ name }) => name)
  const edges = [...structure.attributes.values()]
    .filter((it) => !isScalar(it) && it.type !== 'dynamiczone' && !it.private)
    .map(({ name }) => name)
  const system = isEntry(structure) ? ['id', 'documentId', 'updatedAt', 'publishedAt'] : ['id']
  const localized = isEntry(structure) && structure.localized
  return [
    ...[...scalars, ...system, ...(localized ? ['locale'] : [])],
    // Twice, because most bugs are in relations and components.
    ...(depth > 0 ? [...edges, ...edges, ...(localized ? ['localizations'] : [])] : []),
  ]
}

function about(making: Making, structure: Structure, name: string, depth: number): FilterValue {
  const { draw, registry } = making
  const type = scalarTypeOf(structure, name)
  if (type !== undefined) {
    return draw.chance(20)
      ? logic(making, depth - 1, () => comparison(draw, structure, type, name))
      : comparison(draw, structure, type, name)
  }
  const inner = behindOf(registry, structure, name)
  if (draw.chance(30)) return reference(draw, inner)
  const below = drawFilters(draw, registry, inner, depth - 1)
  if (isSeveral(structure, name) && draw.chance(30)) return quantified(draw, below, depth)
  return draw.chance(15) ? { ...below, ...presence(draw) } : below
}

function isSeveral({ attributes }: Structure, name: string): boolean {
  const attribute = attributes.get(name)
  if (attribute === undefined) return name === 'localizations'
  if (attribute.type === 'component') return attribute.repeatable
  return isEdgeAttribute(attribute) && isMany(attribute)
}

function quantified(draw: Draw, of: Filters, depth: number): Filters {
  const one = { [draw.pick(['$some', '$none', '$none', '$every', '$every'])]: of }
  switch (draw.index(depth > 0 ? 9 : 5)) {
    case 5:
      return { $not: one }
    case 6:
      return { [draw.pick(['$and', '$or'])]: [one, of, { $not: of }] }
    case 7:
      return { ...one, ...presence(draw) }
    case 8:
      return { ...one, $or: [of, { $every: of }] }
    default:
      return one
  }
}

function behindOf(registry: Registry, structure: Structure, name: string): Structure {
  const attribute = structure.attributes.get(name)
  if (attribute === undefined) return structure
  if (attribute.type === 'component') return componentOf(registry, attribute.component)
  return typeOf(registry, attribute.type === 'relation' ? attribute.target : builtIn.file)
}

const presence = (draw: Draw): Filters => ({
  [draw.pick(['$null', '$notNull'])]: draw.pick(['true', 'false']),
})

/** Draws a condition on a relation itself: whether it has a target, or its targets' record ids or documentIds. */
function reference(draw: Draw, inner: Structure): FilterValue {
  const one = (): FilterNode => {
    if (draw.chance(15)) return null
    if (!isEntry(inner) || draw.chance(50)) return String(1 + draw.index(60))
    return draw.pick(documentIdsOf(inner))
  }
  switch (draw.index(5)) {
    case 0:
      return presence(draw)
    case 1:
      return one()
    case 2:
      return { [draw.pick(['$eq', '$ne'])]: one() }
    case 3:
      return { $not: one() }
    default:
      return { [draw.pick(['$in', '$notIn'])]: [one(), one(), one()] }
  }
}

const ordered = ['$lt', '$lte', '$gt', '$gte']
/** Operators with one value that all comparable types have. */
export const comparisons = ['$eq', '$ne', ...ordered]
/** Operators with one value that strings and numbers have. */
export const textComparisons = [
  ...['$eqi', '$nei', '$contains', '$notContains', '$containsi', '$notContainsi'],
  ...['$startsWith', '$startsWithi', '$endsWith', '$endsWithi'],
]
const opaque = new Set<ScalarType>(['json', 'array', 'blocks'])

function comparison(draw: Draw, structure: Structure, type: ScalarType, name: string): Filters {
  if (opaque.has(type) || draw.chance(15)) return presence(draw)
  const one = (): string => textOf(draw, structure, type, name)
  const some = (): readonly string[] => Array.from({ length: 1 + draw.index(3) }, one)
  const nullable = (): FilterNode => (draw.chance(10) ? null : one())
  switch (draw.index(hasText(type) ? 7 : 4)) {
    case 0:
      return { [draw.pick(['$eq', '$ne'])]: nullable() }
    case 1:
      return { [draw.pick(['$in', '$notIn'])]: [nullable(), nullable(), one()] }
    case 2:
      return { [draw.pick(ordered)]: one() }
    case 3:
      return { $between: [one(), one()] }
    case 4:
      return { [draw.pick(textComparisons)]: some() }
    default:
      return { [draw.pick(textComparisons)]: one() }
  }
}

function textOf(draw: Draw, structure: Structure, type: ScalarType, name: string): string {
  if (name === 'id') return String(1 + draw.index(60))
  if (name === 'locale') return draw.pick(['en', 'fr', 'de', 'EN'])
  if (name === 'documentId' && isEntry(structure)) return draw.pick(documentIdsOf(structure))
  return draw.pick(draw.pick(samples[type]).texts)
}
