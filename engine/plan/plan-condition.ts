import type { Filter, Test } from '../resolve/query.js'
import type { Standing } from './plan-edge.js'
import { planLink, standingOf } from './plan-edge.js'
import { collectionOf } from '../schema/content-type.js'
import type { Condition, Link } from './read-plan.js'
import { always, never } from './read-plan.js'

/**
 * A filter on stored paths. `locale` is the one locale of the entries that are tested, which relations
 * of the same locale follow; null where they have none or the condition holds no such relation.
 */
export function planCondition(
  filter: Filter,
  standing: Standing,
  locale: string | null,
  prefix = '',
): Condition {
  switch (filter.kind) {
    case 'all':
    case 'any':
      return {
        kind: filter.kind,
        of: filter.of.map((member) => planCondition(member, standing, locale, prefix)),
      }
    case 'test':
      return { kind: 'test', path: prefix + filter.attribute.storedAs, test: filter.test }
    case 'component': {
      const path = prefix + filter.attribute.storedAs
      if (!filter.attribute.repeatable) {
        return planCondition(filter.of, standing, locale, `${path}.`)
      }
      const of = planCondition(filter.of, standing, locale)
      return { kind: 'element', path, of, orEmpty: holdsOfNulls(filter.of) }
    }
    case 'published':
      return planPublished(filter, locale)
    case 'edge': {
      const link = bindLocale(planLink(filter.edge, standing, prefix), locale)
      const target = standingOf(filter.edge, standing)
      const sibling = filter.edge.via === 'localizations'
      const code = link.locale.kind === 'fixed' ? link.locale.code : null
      const of = planCondition(filter.of, target, sibling ? locale : code)
      return {
        kind: 'related',
        link,
        of: sibling && locale !== null ? { kind: 'all', of: [notLocale(locale), of] } : of,
        orNone: holdsOfNulls(filter.of),
      }
    }
  }
}

/** A filter does not know the locale of the entry it tests, so its plan is made per locale. */
function bindLocale(link: Link, locale: string | null): Link {
  if (link.locale.kind !== 'same') return link
  if (locale === null) throw new Error('A condition on localized entries is planned per locale')
  return { ...link, locale: { kind: 'fixed', code: locale } }
}

/** Having no published version is having none that could satisfy anything. */
function planPublished(
  { type, exists }: Extract<Filter, { kind: 'published' }>,
  locale: string | null,
): Condition {
  const link: Link = {
    collection: collectionOf(type, 'published'),
    stored: 'sibling',
    path: 'documentId',
    many: true,
    locale: locale === null ? { kind: 'none' } : { kind: 'fixed', code: locale },
  }
  return { kind: 'related', link, of: exists ? always : never, orNone: !exists }
}

/** A document's other locales are not the one it is asked about. */
function notLocale(code: string): Condition {
  return {
    kind: 'test',
    path: 'locale',
    test: { op: 'notIn', values: [{ as: 'text', value: code }] },
  }
}

/** Whether a filter has a relation whose targets are seen in the locale of the entry that is tested. */
export function followsLocale(filter: Filter): boolean {
  switch (filter.kind) {
    case 'all':
    case 'any':
      return filter.of.some(followsLocale)
    case 'test':
      return false
    case 'component':
      return followsLocale(filter.of)
    case 'edge':
      return filter.edge.target.localized
    case 'published':
      return filter.type.localized
  }
}

/** Whether an outer join's row of nulls satisfies a filter. */
function holdsOfNulls(filter: Filter): boolean {
  switch (filter.kind) {
    case 'all':
      return filter.of.every(holdsOfNulls)
    case 'any':
      return filter.of.some(holdsOfNulls)
    case 'test':
      return isNullTest(filter.test)
    case 'published':
      return false
    case 'component':
    case 'edge':
      return holdsOfNulls(filter.of)
  }
}

const isNullTest = ({ op }: Test): boolean => op === 'null'
