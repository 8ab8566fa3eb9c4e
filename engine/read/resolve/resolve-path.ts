import { isOfSeveral, isReadable, isScalar, type ScalarAttribute } from '../../schema/attribute.js'
import { isEdgeAttribute } from '../../schema/edge-attribute.js'
import { componentOf } from '../../schema/registry.js'
import { jsonTypes } from '../../values/scalar-type.js'
import type { SortStep } from './query.js'
import {
  type Model,
  edgeOf,
  findAttribute,
  isUsersOfRole,
  readableNames,
  refusedName,
  unknownName,
} from './resolve-attributes.js'
import { type Scope, mayFind } from './scope.js'

/** A path through components and relations to a scalar. */
export type ScalarPath = Readonly<{ steps: readonly SortStep[]; attribute: ScalarAttribute }>

/** Resolves `category.parent.name`. Throws a 400 for values without an order, and for unknown or forbidden names. */
export function resolvePath(
  scope: Scope,
  model: Model,
  path: readonly string[],
  param: string,
): ScalarPath {
  const steps: SortStep[] = []
  let here = model
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
      return { steps, attribute }
    }
    if (isOfSeveral(attribute) || (last && !isEdgeAttribute(attribute)))
      throw refusedName(name, parent, param)
    if (isEdgeAttribute(attribute)) {
      const edge = edgeOf(scope.registry, attribute)
      // A sort shows no users, but groups would show the users of a role.
      const isShown = param !== 'sort'
      if (!mayFind(scope, edge.target) || (isShown && isUsersOfRole(here, name)))
        throw refusedName(name, parent, param)
      if (last) throw refusedName(name, parent, param, targetOf(path, param))
      steps.push({ kind: 'edge', edge })
      here = { kind: 'type', type: edge.target }
    } else {
      const component = componentOf(scope.registry, attribute.component)
      steps.push({ kind: 'component', attribute, component })
      here = { kind: 'component', component }
    }
  }
  throw new Error('parse lets no empty path pass')
}

/** Suggests `author.documentId` for `groupBy=author`. */
const targetOf = (path: readonly string[], param: string): string | undefined =>
  param === 'groupBy' ? `${path.join('.')}.documentId` : undefined
