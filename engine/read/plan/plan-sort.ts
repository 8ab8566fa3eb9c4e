import type { Sort } from '../resolve/query.js'
import type { VersionContext } from './plan-relation.js'
import { planLink, contextOf } from './plan-relation.js'
import type { SortKey, SortStep } from './read-plan.js'

/**
 * Converts sort keys to stored paths. Adds the record id as the last key, because pages must not overlap
 * (docs/internals/decisions.md, "Comparing and sorting").
 */
export function planSort(sort: readonly Sort[], context: VersionContext): readonly SortKey[] {
  const keys = sort.map((key) => planKey(key, context))
  const last = keys.at(-1)
  return keys.some(({ through, path }) => through.length === 0 && path === '_id')
    ? keys
    : [...keys, { through: [], path: '_id', direction: last?.direction ?? 1 }]
}

/** Converts one sort key to stored paths. */
export function planKey({ steps, attribute, order }: Sort, context: VersionContext): SortKey {
  const through: SortStep[] = []
  let here = context
  let prefix = ''
  for (const step of steps) {
    if (step.kind === 'component') {
      const path = prefix + step.attribute.storedAs
      if (step.attribute.repeatable) through.push({ kind: 'list', path })
      prefix = `${path}.`
    } else {
      through.push({ kind: 'link', link: planLink(step.edge, here, prefix) })
      here = contextOf(step.edge, here)
      prefix = ''
    }
  }
  return { through, path: prefix + attribute.storedAs, direction: order === 'asc' ? 1 : -1 }
}
