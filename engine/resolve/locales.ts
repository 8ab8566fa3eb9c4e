import type { RawFilter } from '../parse/raw-query.js'
import type { ContentType } from '../schema/content-type.js'
import type { Edge, LocaleScope, QueryShape, Sent } from './query.js'
import type { QueryRules, Scope } from './scope.js'

/**
 * The locales whose versions are read: the default, unless the request or its filter names the locale itself.
 * What is stored in a locale that is not configured any more is not shown (docs/decisions.md, "Locales that
 * are not configured").
 */
export function resolveLocales(
  { type, namesLocale }: QueryShape,
  { locale }: Sent,
  rules: QueryRules,
): LocaleScope {
  if (!type.localized) return 'all'
  if (locale === undefined || locale.length === 0) {
    return namesLocale ? [...rules.locales] : [rules.defaultLocale]
  }
  const configured = [...rules.locales]
  const asked = new Set(locale)
  return asked.has('*') ? configured : configured.filter((code) => asked.has(code))
}

/** What relations from entries without locales show: the first locale that was asked for, else the default. */
export function resolveContextLocale({ locale }: Sent, rules: QueryRules): string {
  const code = locale?.find((asked) => asked !== '*') ?? rules.defaultLocale
  return rules.locales.has(code) ? code : noLocale
}

/** Nothing is stored in it. */
const noLocale = ''

/** The edge to a document's other locales. */
export function localizationsOf({ rules }: Scope, type: ContentType): Edge {
  return { via: 'localizations', target: type, locales: [...rules.locales] }
}

/** Whether a filter says itself which locales it is about. */
export function namesLocale(filter: RawFilter | undefined): boolean {
  if (filter === undefined || filter.kind === 'is') return false
  if (filter.kind === 'at') return filter.name === 'locale'
  return filter.kind === 'not' ? namesLocale(filter.of) : filter.of.some(namesLocale)
}
