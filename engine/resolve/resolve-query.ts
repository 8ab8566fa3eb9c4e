import { fail } from '../errors.js'
import type { RawQuery } from '../parse/raw-query.js'
import type { ContentType, Status } from '../schema/content-type.js'
import type { Grant } from '../schema/grant.js'
import { allows } from '../schema/grant.js'
import type { Registry } from '../schema/registry.js'
import { textTypes } from '../schema/attribute.js'
import type { Ground } from './attributes.js'
import { readableScalars } from './attributes.js'
import { resolveFilter } from './filters.js'
import { unknownKey } from './keys.js'
import { resolvePagination } from './pagination.js'
import { resolveSelection } from './populate.js'
import { resolveContextLocale, resolveLocales } from './locales.js'
import type { Filter, Query } from './query.js'
import type { QueryRules } from './scope.js'
import { resolveSort } from './sort.js'

/**
 * Joins what a query string says with the content-type and with what the caller may do. Every 400 and
 * 403 of a read leaves here; what is returned can be executed as it is. `purpose` is `answer` for what
 * a write shows of its own document: drafts need no permission of their own then.
 */
export function resolveQuery(
  raw: RawQuery,
  type: ContentType,
  grant: Grant,
  registry: Registry,
  rules: QueryRules,
  purpose: 'read' | 'answer',
): Query {
  const status = resolveStatus(raw.status)
  if (purpose === 'read' && status === 'draft' && !allows(grant, type.uid, 'findDrafts')) {
    throw fail('forbidden')
  }
  // A plan shows how content is stored, and what is in it by how much of it matches.
  if (raw.explain !== undefined && grant.actions !== 'all') throw fail('forbidden')
  if (raw.explain !== undefined && purpose === 'answer') throw unknownKey('explain', [], 'explain')
  if (purpose === 'answer' && (raw.locale?.length ?? 0) > 1) {
    throw fail('validation', { message: "Invalid parameter at 'locale'. A write is in one locale" })
  }
  const scope = { registry, grant, rules, status, budget: { nodes: 0, filteredRelations: 0 } }
  const ground: Ground = { kind: 'type', type }
  const { fields, populate } = raw
  const selection = resolveSelection(scope, ground, {
    ...(fields === undefined ? {} : { fields }),
    ...(populate === undefined ? {} : { populate }),
  })
  const filters = [
    ...(raw.filters === undefined ? [] : [resolveFilter(scope, ground, raw.filters)]),
    ...resolvePublished(type, raw.hasPublishedVersion),
    ...(raw.search === undefined || raw.search === '' ? [] : [resolveSearch(type, raw.search)]),
  ]
  return {
    kind: 'query',
    type,
    status,
    locales: resolveLocales(raw, type, rules),
    askedLocale: raw.locale?.[0],
    contextLocale: resolveContextLocale(raw, rules),
    selection,
    filter: filters.length === 0 ? null : { kind: 'all', of: filters },
    sort: resolveSort(scope, ground, raw.sort ?? []),
    page: resolvePagination(raw.pagination ?? {}, rules),
    explain: raw.explain ?? null,
  }
}

/** D14. */
function resolveStatus(raw: string | undefined): Status {
  if (raw === undefined || raw === 'published') return 'published'
  if (raw === 'draft') return 'draft'
  throw fail('validation', {
    message: `Invalid parameter at 'status'. Expected 'published' or 'draft', received: ${raw}`,
  })
}

/** Types without draft & publish have one version, which is published. */
function resolvePublished(type: ContentType, exists: boolean | undefined): Filter[] {
  if (exists === undefined || !type.draftAndPublish) return []
  return [{ kind: 'published', type, exists }]
}

/** D13: the entry's own readable text, literally and without regard to case. */
function resolveSearch(type: ContentType, text: string): Filter {
  return {
    kind: 'any',
    of: readableScalars(type)
      .filter((attribute) => textTypes.has(attribute.type))
      .map((attribute) => ({
        kind: 'test',
        attribute,
        test: { op: 'match', how: 'contains', insensitive: true, negated: false, texts: [text] },
      })),
  }
}
