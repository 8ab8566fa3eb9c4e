import type { RawFilter, RawQuery } from '../parse/raw-query.js'
import type { ContentType } from '../schema/content-type.js'
import type { Edge, LocaleScope } from './query.js'
import type { QueryRules, Scope } from './scope.js'

/**
 * The locales whose versions are read: the default, unless the request or its filter names the locale
 * itself. What is stored in a locale that is not configured any more is not shown (D19).
 */
export function resolveLocales(raw: RawQuery, type: ContentType, rules: QueryRules): LocaleScope {
  if (!type.localized) return 'all'
  const configured = [...rules.locales]
  const { locale } = raw
  if (locale === undefined || locale.length === 0) {
    return mentionsLocale(raw.filters) ? configured : [rules.defaultLocale]
  }
  return locale.includes('*') ? configured : configured.filter((code) => locale.includes(code))
}

/** What relations from entries without locales show: the first locale that was asked for, else the default. */
export function resolveContextLocale({ locale }: RawQuery, rules: QueryRules): string {
  const code = locale?.find((asked) => asked !== '*') ?? rules.defaultLocale
  return rules.locales.has(code) ? code : noLocale
}

/** Nothing is stored in it. */
const noLocale = ''

/** The edge to a document's other locales. */
export function localizationsOf({ rules }: Scope, type: ContentType): Edge {
  return { via: 'localizations', target: type, locales: [...rules.locales] }
}

function mentionsLocale(filter: RawFilter | undefined): boolean {
  if (filter === undefined || filter.kind === 'is') return false
  if (filter.kind === 'at') return filter.name === 'locale'
  return filter.kind === 'not' ? mentionsLocale(filter.of) : filter.of.some(mentionsLocale)
}
