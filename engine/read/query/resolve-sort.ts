import { exceeded } from './bounds.js'
import type { RawSort } from './raw-query.js'
import { isOfSeveral, isReadable, isScalar } from '../../schema/attribute.js'
import { componentOf } from '../../schema/registry.js'
import type { Ground } from './resolve-attributes.js'
import {
  edgeOf,
  findAttribute,
  readableNames,
  refusedName,
  unknownName,
} from './resolve-attributes.js'
import { isEdgeAttribute } from '../../schema/edge-attribute.js'
import type { Sort, SortStep } from './query.js'
import type { Scope } from './scope.js'
import { mayFind } from './scope.js'
import { jsonTypes } from '../../values/scalar-type.js'

/** Keys of one sort; MongoDB sorts by at most 32, and by then nobody knows what it is sorted by. */
const maxSortKeys = 16

/**
 * `category.parent.name:desc` to steps and a scalar. Of two keys with the same path the first counts.
 * Throws a 400 for what cannot be sorted by, and for more keys than the bound.
 */
export function resolveSort(
  scope: Scope,
  ground: Ground,
  raw: readonly RawSort[],
  param = 'sort',
): readonly Sort[] {
  const keys = new Map<string, RawSort>()
  for (const key of raw) {
    const path = key.path.join('.')
    if (!keys.has(path)) keys.set(path, key)
  }
  if (keys.size > maxSortKeys) throw exceeded('The number of sort keys', 'sort', maxSortKeys)
  return [...keys.values()].map(({ path, order }) => {
    const steps: SortStep[] = []
    let here = ground
    for (const [index, name] of path.entries()) {
      const parent = path.slice(0, index)
      const attribute = findAttribute(here, name)
      if (attribute === undefined) {
        if (name === 'createdBy' || name === 'updatedBy') throw refusedName(name, parent, param)
        throw unknownName(name, parent, param, readableNames(here))
      }
      if (!isReadable(attribute) || jsonTypes.has(attribute.type)) {
        throw refusedName(name, parent, param)
      }
      const last = index === path.length - 1
      if (isScalar(attribute)) {
        if (!last) throw unknownName(path[index + 1] ?? '', path.slice(0, index + 1), param)
        return { steps, attribute, order }
      }
      if (last || isOfSeveral(attribute)) throw refusedName(name, parent, param)
      if (isEdgeAttribute(attribute)) {
        const edge = edgeOf(scope.registry, attribute)
        if (!mayFind(scope, edge.target)) throw refusedName(name, parent, param)
        steps.push({ kind: 'edge', edge })
        here = { kind: 'type', type: edge.target }
      } else {
        const component = componentOf(scope.registry, attribute.component)
        steps.push({ kind: 'component', attribute, component })
        here = { kind: 'component', component }
      }
    }
    throw new Error('parse lets no empty path pass')
  })
}
