import type { Filter, Slot } from '../resolve/query.js'
import type { Standing } from './plan-edge.js'
import { planLink, planLocaleRule, standingOf } from './plan-edge.js'
import { collectionOf } from '../schema/content-type.js'
import type { Condition, Link } from './read-plan.js'
import { always, never } from './read-plan.js'

/** A filter on stored paths of entries that stand so, or of component values at `prefix` in them. */
export function planCondition(filter: Filter, standing: Standing, prefix = ''): Condition<Slot> {
  switch (filter.kind) {
    case 'all':
    case 'any':
      return {
        kind: filter.kind,
        of: filter.of.map((member) => planCondition(member, standing, prefix)),
      }
    case 'test':
      return { kind: 'test', path: prefix + filter.attribute.storedAs, test: filter.test }
    case 'component': {
      const path = prefix + filter.attribute.storedAs
      if (!filter.attribute.repeatable) return planCondition(filter.of, standing, `${path}.`)
      const of = planCondition(filter.of, standing)
      return { kind: 'element', path, of, orEmpty: holdsOfNulls(filter.of) }
    }
    case 'published':
      return planPublished(filter, standing)
    case 'edge':
      return {
        kind: 'related',
        link: planLink(filter.edge, standing, prefix),
        of: planCondition(filter.of, standingOf(filter.edge, standing)),
        orNone: holdsOfNulls(filter.of),
      }
  }
}

/** Having no published version is having none that could satisfy anything. */
function planPublished(
  { type, exists }: Extract<Filter, { kind: 'published' }>,
  standing: Standing,
): Condition {
  const link: Link = {
    collection: collectionOf(type, 'published'),
    stored: 'sibling',
    path: 'documentId',
    many: true,
    locale: planLocaleRule(type, standing),
  }
  return { kind: 'related', link, of: exists ? always : never, orNone: !exists }
}

/** Whether an outer join's row of nulls satisfies a filter. */
function holdsOfNulls(filter: Filter): boolean {
  switch (filter.kind) {
    case 'all':
      return filter.of.every(holdsOfNulls)
    case 'any':
      return filter.of.some(holdsOfNulls)
    case 'test':
      // A slot is never filled with a test for null, which needs no value.
      return 'op' in filter.test && filter.test.op === 'null'
    case 'published':
      return false
    case 'component':
    case 'edge':
      return holdsOfNulls(filter.of)
  }
}
