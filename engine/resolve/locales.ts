import type { RawFilter, RawQuery } from '../parse/raw-query.js'
import type { ContentType } from '../schema/content-type.js'
import { localeAttribute } from '../schema/system-attributes.js'
import type { Filter, LocaleScope } from './query.js'
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

/** The same for a document's other locales. */
export function inConfiguredLocales({ rules }: Scope, filter: Filter | null): Filter {
  const values = [...rules.locales].map((value) => ({ as: 'text' as const, value }))
  const configured: Filter = {
    kind: 'test',
    attribute: localeAttribute,
    test: { op: 'in', values },
  }
  return filter === null ? configured : { kind: 'all', of: [configured, filter] }
}

function mentionsLocale(filter: RawFilter | undefined): boolean {
  if (filter === undefined || filter.kind === 'is') return false
  if (filter.kind === 'at') return filter.name === 'locale'
  return filter.kind === 'not' ? mentionsLocale(filter.of) : filter.of.some(mentionsLocale)
}
