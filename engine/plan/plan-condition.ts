import type { Filter, Slot } from '../resolve/query.js'
import { combineConditions } from './combine-conditions.js'
import type { Standing } from './plan-edge.js'
import { planLink, planLocaleRule, standingOf } from './plan-edge.js'
import type { ContentType, Status } from '../schema/content-type.js'
import { collectionOf } from '../schema/content-type.js'
import type { Condition, Link, LocaleRule } from './read-plan.js'
import { always, never } from './read-plan.js'

/** A filter on stored paths of entries that stand so, or of component values at `prefix` in them. */
export function planCondition(filter: Filter, standing: Standing, prefix = ''): Condition<Slot> {
  switch (filter.kind) {
    case 'all':
    case 'any':
      return combineConditions(
        filter.kind,
        filter.of.map((member) => planCondition(member, standing, prefix)),
      )
    case 'test':
      return { kind: 'test', path: prefix + filter.attribute.storedAs, test: filter.test }
    case 'component': {
      const path = prefix + filter.attribute.storedAs
      if (!filter.attribute.repeatable) return planCondition(filter.of, standing, `${path}.`)
      const of = planCondition(filter.of, standing)
      return { kind: 'element', path, of, orEmpty: holdsOfNulls(filter.of) }
    }
    case 'version':
      return planVersion(filter, standing)
    case 'modified': {
      const { type, is } = filter
      const link = linkVersion(type, 'published', planLocaleRule(type, standing))
      return { kind: 'modified', link, drafts: collectionOf(type, 'draft'), not: !is }
    }
    case 'edge':
      return {
        kind: 'related',
        link: planLink(filter.edge, standing, prefix),
        of: planCondition(filter.of, standingOf(filter.edge, standing)),
        orNone: holdsOfNulls(filter.of),
      }
  }
}

/** Having no other version is having none that could satisfy anything. */
function planVersion(
  { type, status, locales, exists }: Extract<Filter, { kind: 'version' }>,
  standing: Standing,
): Condition {
  const among: LocaleRule | null =
    type.localized && locales !== 'same' ? { kind: 'any', among: locales } : null
  const link = linkVersion(type, status, among ?? planLocaleRule(type, standing))
  return { kind: 'related', link, of: exists ? always : never, orNone: !exists }
}

function linkVersion(type: ContentType, status: Status, locale: LocaleRule): Link {
  const collection = collectionOf(type, status)
  return { collection, stored: 'sibling', path: 'documentId', many: true, locale }
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
    case 'version':
    case 'modified':
      return false
    case 'component':
    case 'edge':
      return holdsOfNulls(filter.of)
  }
}
