import type { Attribute } from '../../../../../engine/schema/attribute.js'
import type { Structure } from '../../../../../engine/schema/content-type.js'
import type { Registry } from '../../../../../engine/schema/registry.js'
import { builtIn, componentOf, typeOf } from '../../../../../engine/schema/registry.js'
import type { Draw } from './draw.js'
import { scalarTypeOf, shownScalars } from './values.js'
import { isEntry } from './world.js'

/** Draws up to three sort keys, mostly through relations and components. */
export function drawSort(
  draw: Draw,
  registry: Registry,
  structure: Structure,
  steps = stepsFrom(structure, 2),
): string[] {
  return Array.from({ length: 1 + draw.index(3) }, () => {
    const path = drawPath(draw, registry, structure, steps)
    return `${path}${draw.pick(['', ':desc', ':asc'])}`
  })
}

/** Draws some scalars, at least one, because an empty list means all. */
export function drawFields(draw: Draw, structure: Structure): readonly string[] {
  const fields = draw.some(scalarNames(structure), 3)
  return fields.length === 0 ? ['id'] : fields
}

/** Returns the content-type or component of an attribute's values. */
export function behindOf(registry: Registry, attribute: Attribute): Structure {
  if (attribute.type === 'component') return componentOf(registry, attribute.component)
  return typeOf(registry, attribute.type === 'relation' ? attribute.target : builtIn.file)
}

/** Returns scalars that can be shown. Entries also have system fields. */
export function scalarNames(structure: Structure): readonly string[] {
  const own = shownScalars(structure).map(({ name }) => name)
  if (!isEntry(structure)) return [...own, 'id']
  const system = ['id', 'documentId', 'createdAt', 'updatedAt', 'publishedAt']
  return [...own, ...system, ...(structure.localized ? ['locale'] : [])]
}

const unsortable = new Set(['json', 'array', 'blocks'])

type Steps = Readonly<{ most: number; into: (attribute: Attribute) => boolean }>

/**
 * Returns the attributes that a sort path may go through. Components can be sorted only by values of components,
 * entries also through relations and media.
 */
export function stepsFrom(structure: Structure, most: number): Steps {
  const entry = isEntry(structure)
  const into = ({ type }: Attribute): boolean =>
    type === 'component' || (entry && (type === 'relation' || type === 'media'))
  return { most, into }
}

export function drawPath(
  draw: Draw,
  registry: Registry,
  structure: Structure,
  steps: Steps,
): string {
  const { most, into } = steps
  const edges = [...structure.attributes.values()].filter((it) => !it.private && into(it))
  if (most > 0 && edges.length > 0 && draw.chance(50)) {
    const attribute = draw.pick(edges)
    const inner = behindOf(registry, attribute)
    return `${attribute.name}.${drawPath(draw, registry, inner, { most: most - 1, into })}`
  }
  const names = scalarNames(structure).filter(
    (name) => !unsortable.has(scalarTypeOf(structure, name) ?? ''),
  )
  return draw.pick(names)
}
