import { fail } from '../../errors.js'
import type {
  RawDeepPopulate,
  RawFields,
  RawPopulateOptions,
  RawQuery,
} from '../parse/raw-query.js'
import { isDeep } from '../parse/raw-query.js'
import type { ContentType, Status } from '../../schema/content-type.js'
import type { Grant } from '../../schema/grant.js'
import { allows } from '../../schema/grant.js'
import type { Registry } from '../../schema/registry.js'
import type { Model } from './resolve-attributes.js'
import { readableScalars, resolveFields, unknownName } from './resolve-attributes.js'
import { resolveDeepPopulate } from './resolve-deep-populate.js'
import { resolveFilter } from './resolve-filters.js'
import { resolveSelection } from './resolve-populate.js'
import {
  readsDrafts,
  resolvePublication,
  namesLocale,
  resolveChain,
  resolveContextLocales,
  resolveLocales,
} from './resolve-versions.js'
import type { Filter, Selection, Query } from './query.js'
import type { KnownTrees, QueryRules, Scope } from './scope.js'
import { createBudget, knownSelection } from './scope.js'
import { sizeOfSelection } from './query-size.js'
import { resolveGroups } from './resolve-groups.js'
import { resolveSort } from './resolve-sort.js'
import type { ScalarAttribute } from '../../schema/attribute.js'
import { documentIdAttribute } from '../../schema/system-attributes.js'
import { numberTypes, textTypes } from '../../values/scalar-type.js'
import { valueForms } from '../../values/value-forms.js'
import type { Value } from '../../values/value-test.js'
import { refusedParameter } from '../parse/refused-value.js'
import { resolvePagination } from './resolve-pagination.js'

/**
 * Resolves a parsed query. Throws a 400 for unknown names and for values of another type, and a 403 for content that the
 * caller may not read.
 * @param purpose `answer`: for the response to a write. Drafts then need no permission, and filters are ignored
 * @param byDefault whether the populate is a default instead of a part of the request
 */
export function resolveQuery(
  raw: RawQuery,
  type: ContentType,
  grant: Grant,
  registry: Registry,
  rules: QueryRules,
  purpose: 'read' | 'answer',
  { trees, byDefault = false }: Readonly<{ trees: KnownTrees; byDefault?: boolean }>,
): Query {
  const status = resolveStatus(raw.status)
  // The response to a write shows the version that was written.
  const publication = purpose === 'answer' ? [] : (raw.publication ?? [])
  const drafts = readsDrafts(status, publication)
  if (purpose === 'read' && drafts && !allows(grant, type.uid, 'findDrafts')) {
    throw fail('forbidden')
  }
  // An explanation reveals how content is stored, and how many entries match.
  if (raw.explain !== undefined && grant.actions !== 'all') throw fail('forbidden')
  if (raw.explain !== undefined && purpose === 'answer') throw unknownName('explain', [], 'explain')
  if (purpose === 'answer' && (raw.locale?.length ?? 0) > 1) {
    const message = "Invalid parameter at 'locale'. A write is in one locale"
    throw refusedParameter(message, 'locale', 'one locale', [...(raw.locale ?? [])])
  }
  const budget = createBudget(rules)
  const context = { registry, grant, rules, status, publication, drafts }
  const scope = { ...context, budget, trees, byDefault }
  const model: Model = { kind: 'type', type }
  const { fields, populate } = raw
  const selection =
    populate !== undefined && isDeep(populate)
      ? resolveDeepSelection(scope, type, populate, fields)
      : resolveKnownSelection(scope, type, { fields, populate })
  const filters = [
    ...(raw.filters === undefined ? [] : [resolveFilter(scope, model, raw.filters)]),
    ...resolvePublication(scope, type),
    ...(raw.search === undefined || raw.search === '' ? [] : [resolveSearch(raw.search, type)]),
  ]
  const { groups } = raw
  const sort = resolveSort(scope, model, groups === undefined ? (raw.sort ?? []) : [])
  const resolvedGroups = groups && resolveGroups(scope, model, groups, raw.sort ?? [])
  // The response to a write is in the locale of the write.
  const isLocaleNamed = purpose === 'read' && namesLocale(raw.filters)
  const chain = resolveChain(raw, isLocaleNamed, rules)
  return {
    type,
    status,
    selection,
    filter: filters.length === 0 || purpose === 'answer' ? null : { kind: 'all', of: filters },
    sort,
    groups: resolvedGroups,
    explain: raw.explain ?? null,
    locales:
      type.localized && chain !== null ? chain : resolveLocales(type, raw, isLocaleNamed, rules),
    chain,
    requestedLocale: raw.locale?.[0],
    contextLocales: resolveContextLocales(chain, raw, rules),
    page: resolvePagination(raw.pagination ?? {}, rules),
    ignored: raw.ignored,
  }
}

/**
 * Resolves `fields` and `populate`. Caches the result, so that requests for other entries share the selection. A
 * `populate` with filters is not cached, because its filters count towards the limits of the whole query (`Budget`).
 */
function resolveKnownSelection(
  scope: Scope,
  type: ContentType,
  raw: Pick<RawPopulateOptions, 'fields' | 'populate'>,
): Selection {
  const make = (): Selection => resolveSelection(scope, { kind: 'type', type }, raw)
  if (raw.populate === undefined) return make()
  const parameters = JSON.stringify(raw, (_, value: unknown) =>
    value instanceof Map ? [...value.entries()] : value,
  )
  if (parameters.includes('"filters":')) return make()
  return knownSelection(scope, type, parameters, () => {
    const selection = make()
    return { kind: 'tree', selection, size: sizeOfSelection(selection) }
  })
}

/** `fields` applies only to the entries themselves, not to populated ones. */
function resolveDeepSelection(
  scope: Scope,
  type: ContentType,
  populate: RawDeepPopulate,
  fields: RawFields | undefined,
): Selection {
  const { populated, ...shown } = resolveDeepPopulate(scope, type, populate)
  const own = fields === undefined ? shown : resolveFields({ kind: 'type', type }, fields)
  return { ...own, populated, shared: true }
}

/** Resolves `status` (docs/internals/decisions.md, "Drafts are not public"). */
function resolveStatus(raw: string | undefined): Status {
  if (raw === undefined || raw === 'published') return 'published'
  if (raw === 'draft') return 'draft'
  const message = `Invalid parameter at 'status'. Expected 'published' or 'draft', received: ${raw}`
  throw refusedParameter(message, 'status', "'published' or 'draft'", raw)
}

/**
 * Resolves `_q` (docs/internals/decisions.md, "Search"). Finds entries with a readable text attribute that contains the
 * string, literally and ignoring case, or with a number that equals it. Also finds the document with this documentId.
 */
function resolveSearch(search: string, type: ContentType): Filter {
  const test = {
    op: 'match',
    how: 'contains',
    insensitive: true,
    negated: false,
    texts: [search],
  } as const
  const searched = readableScalars(type).filter(({ searchable }) => searchable !== false)
  const texts = searched.filter(({ type }) => textTypes.has(type))
  const equals = (attribute: ScalarAttribute): Filter => ({
    kind: 'test',
    attribute,
    test: { op: 'in', values: valuesIn(search, attribute) },
  })
  return {
    kind: 'any',
    of: [
      ...texts.map((attribute): Filter => ({ kind: 'test', attribute, test })),
      ...searched.filter(({ type }) => numberTypes.has(type)).map(equals),
      equals(documentIdAttribute),
    ],
  }
}

/** Returns an empty list if the string is not a valid value of this type. */
function valuesIn(text: string, { type }: ScalarAttribute): readonly Value[] {
  const value = /^\s*$/.test(text) ? undefined : valueForms[type].parse?.(text)
  return value === undefined || value.as === 'nothing' ? [] : [value]
}
