import { exceeded } from './bounds.js'
import type { RawSort } from './raw-query.js'
import type { Ground } from './resolve-attributes.js'
import type { Sort } from './query.js'
import { resolvePath } from './resolve-path.js'
import type { Scope } from './scope.js'

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
  return [...keys.values()].map(({ path, order }) => ({
    ...resolvePath(scope, ground, path, param),
    order,
  }))
}
