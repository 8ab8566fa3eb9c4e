import type { PublicationFilter, RawFilter, RawQuery } from '../parse/raw-query.js'
import type { ContentType, Status } from '../../schema/content-type.js'
import type { Filter, Edge, LocaleScope, Query } from './query.js'
import { refusedParameter } from '../parse/refused-value.js'
import type { Scope, QueryRules } from './scope.js'

/**
 * Whether a query needs the permission for drafts. A filter that compares entries with drafts reveals something about
 * them (docs/internals/decisions.md, "Drafts are not public").
 */
export function readsDrafts(status: Status, filters: readonly PublicationFilter[]): boolean {
  return status === 'draft' || filters.some((word) => dependsOnDrafts.has(word))
}

const dependsOnDrafts: ReadonlySet<PublicationFilter> = new Set([
  ...(['modified', 'unmodified', 'published-with-draft', 'published-without-draft'] as const),
])

/**
 * Resolves `publicationFilter`, which applies on every level (https://docs.strapi.io/cms/api/rest/publication-filter).
 * Types without draft & publish are not filtered.
 */
export function resolvePublication(scope: Scope, type: ContentType): readonly Filter[] {
  if (!type.draftAndPublish) return []
  return scope.publication.flatMap((word) => resolveWord(scope, type, word))
}

function resolveWord(
  { status, rules }: Scope,
  type: ContentType,
  word: PublicationFilter,
): Filter[] {
  const drafts = status === 'draft'
  const inAny = [...rules.locales]
  const hasOther = (exists: boolean, locales: 'same' | readonly string[] = 'same'): Filter[] => [
    { kind: 'version', type, status: drafts ? 'published' : 'draft', locales, exists },
  ]
  switch (word) {
    case 'never-published':
      return drafts ? hasOther(false) : nothing
    case 'never-published-document':
      return drafts ? hasOther(false, inAny) : nothing
    case 'has-published-version':
      return drafts ? hasOther(true) : []
    case 'has-published-version-document':
      return drafts ? hasOther(true, inAny) : []
    case 'published-without-draft':
      return drafts ? nothing : hasOther(false)
    case 'published-with-draft':
      return drafts ? nothing : hasOther(true)
    case 'modified':
      return [{ kind: 'modified', type, is: true }]
    case 'unmodified':
      return [...hasOther(true), { kind: 'modified', type, is: false }]
  }
}

const nothing: Filter[] = [{ kind: 'any', of: [] }]

/**
 * Resolves the locales to read: the default, unless the request or its filter names one. Locales that are not
 * configured are not shown (docs/internals/decisions.md, "Locales that are not configured").
 */
export function resolveLocales(
  type: ContentType,
  { locale }: RawQuery,
  namesLocale: boolean,
  rules: QueryRules,
): LocaleScope {
  if (!type.localized) return 'all'
  if (locale === undefined || locale.length === 0) {
    return namesLocale ? [...rules.locales] : [rules.defaultLocale]
  }
  const configured = [...rules.locales]
  const requested = new Set(locale)
  return requested.has('*') ? configured : configured.filter((code) => requested.has(code))
}

/** Resolves the fallback locales; null without fallback. A request for several locales shows every version. */
export function resolveChain(
  { locale = [], fallback }: RawQuery,
  namesLocale: boolean,
  rules: QueryRules,
): readonly string[] | null {
  const [code = rules.defaultLocale, ...others] = locale
  const isSeveral = others.length > 0 || code === '*'
  if (fallback === true && isSeveral) {
    const message = "Invalid parameter at 'fallback'. Only a request for one locale can fall back"
    throw refusedParameter(message, 'fallback', 'one locale', locale.join())
  }
  const byDefault = rules.localeFallback && !isSeveral && !(namesLocale && locale.length === 0)
  if (!(fallback ?? byDefault)) return null
  return (rules.chains.get(code) ?? [code]).filter((one) => rules.locales.has(one))
}

/**
 * Returns the locales for the targets of entries without locales: the requested locale or its fallback chain, then the
 * default locale. If none of the requested locales is configured, no target is shown.
 */
export function resolveContextLocales(
  chain: Query['chain'],
  { locale }: RawQuery,
  rules: QueryRules,
): readonly string[] {
  const requested = chain ?? [locale?.find((code) => code !== '*') ?? rules.defaultLocale]
  const isThere = requested.some((code) => rules.locales.has(code))
  return isThere ? [...new Set([...requested, rules.defaultLocale])] : [noLocale]
}

const noLocale = ''

/** Returns the edge to a document's other locales. */
export function localizationsOf({ rules }: Scope, type: ContentType): Edge {
  return { via: 'localizations', target: type, locales: [...rules.locales] }
}

/** Whether a filter contains the attribute `locale`. */
export function namesLocale(filter: RawFilter | undefined): boolean {
  if (filter === undefined || filter.kind === 'is') return false
  if (filter.kind === 'at') return filter.name === 'locale'
  return filter.kind === 'not' ? namesLocale(filter.of) : filter.of.some(namesLocale)
}
