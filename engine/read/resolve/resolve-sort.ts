import { exceeded } from '../parse/bounds.js'
import type { RawSort } from '../parse/raw-query.js'
import type { Sort } from './query.js'
import type { Model } from './resolve-attributes.js'
import { resolvePath } from './resolve-path.js'
import type { Scope } from './scope.js'

/** MongoDB allows 32 sort keys. */
const maxSortKeys = 16

/**
 * Resolves `category.parent.name:desc`. If several keys have the same path, only the first is used. Throws a 400 for
 * too many or unsortable keys.
 */
export function resolveSort(
  scope: Scope,
  model: Model,
  raw: readonly RawSort[],
  param = 'sort',
): readonly Sort[] {
  const keys = new Map<string, RawSort>()
  for (const key of raw) {
    const path = key.path.join('.')
    if (!keys.has(path)) keys.set(path, key)
  }
  if (keys.size > maxSortKeys) throw exceeded('The number of sort keys', 'sort', maxSortKeys)
  return [...keys.values()].map(({ path, order }) => ({
    ...resolvePath(scope, model, path, param),
    order,
  }))
}
