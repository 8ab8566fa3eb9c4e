import type { ContentType } from '../../../../../engine/schema/content-type.js'
import { localeChains } from './draw-world.js'
import { satisfies } from './filter.js'
import { matches } from './filter.js'
import { print } from './json.js'
import { pageOf } from './page.js'
import { relates } from './publication.js'
import type { FilterNode, Filters, FilterValue, Query } from './query.js'
import type { Format } from './show.js'
import { show } from './show.js'
import { sortedEntries } from './sort.js'
import { isText, scalarOf, shownScalars } from './values.js'
import type { Doc, Row, View, World } from './world.js'
import { firstIn, rowOf, versionsOf } from './world.js'

/** Computes the response to a list request over arrays, in the simplest code, as a reference for the engine. */
export function answerList(
  world: World,
  type: ContentType,
  query: Query,
  format: Format = 'flat',
): string {
  const view = viewOf(world, query)
  const found = find(view, type, query)
  const { start, limit, meta } = pageOf(query.pagination, found.length)
  const data = sortedEntries(view, found, query.sort ?? [])
    .slice(start, start + limit)
    .map((row) => show(view, row, query, format))
  return print({ data, meta })
}

/** Like `answerList`, for one document. Null if it does not exist. */
export function answerOne(
  world: World,
  type: ContentType,
  documentId: string,
  query: Query,
  format: Format = 'flat',
): string | null {
  const view = viewOf(world, query)
  const found = sortedEntries(view, find(view, type, query), [])
  const row = found.find(({ value }) => value?.['documentId'] === documentId)
  return row === undefined ? null : print({ data: show(view, row, query, format), meta: {} })
}

const localesOf = ({ locale = [] }: Query): readonly string[] =>
  typeof locale === 'string' ? [locale] : locale

const formerWords = {
  true: 'has-published-version-document',
  false: 'never-published-document',
} as const

export function viewOf(world: World, query: Query): View {
  const asked = localesOf(query).find((code) => code !== '*')
  const own = asked ?? world.defaultLocale
  const chain = query.fallback === 'true' ? (localeChains.get(own) ?? [own]) : null
  const isThere = world.locales.includes(own)
  const locales = isThere ? [...(chain ?? [own]), world.defaultLocale] : []
  const { publicationFilter, hasPublishedVersion } = query
  const publication = [
    ...(publicationFilter === undefined ? [] : [publicationFilter]),
    ...(hasPublishedVersion === undefined ? [] : [formerWords[hasPublishedVersion]]),
  ]
  return { world, status: query.status ?? 'published', locales, chain, publication }
}

export function find(view: View, type: ContentType, query: Query): readonly Row[] {
  const { filters = {}, _q = '' } = query
  return listedVersions(view, type, query)
    .map((value) => rowOf(type, value))
    .filter((row) => satisfies(view, row, filters))
    .filter((row) => _q === '' || mentions(row, _q))
    .filter((row) => relates(view, type, row))
}

function listedVersions(view: View, type: ContentType, query: Query): readonly Doc[] {
  const all = versionsOf(view, type)
  if (!type.localized) return all
  if (view.chain !== null) return firstIn(all, view.chain)
  return all.filter(({ locale }) => isListed(view, String(locale), query))
}

function isListed(view: View, locale: string, query: Query): boolean {
  const asked = localesOf(query)
  if (asked.length > 0) return asked.includes('*') || asked.includes(locale)
  return namesLocale(query.filters ?? {}) || locale === view.world.defaultLocale
}

function namesLocale(filters: Filters): boolean {
  return Object.entries(filters).some(([key, value]) => {
    const members = (Array.isArray(value) ? value : [value]) as readonly (
      FilterNode | FilterValue
    )[]
    return key.startsWith('$') ? members.some((it) => namesLocale(it as Filters)) : key === 'locale'
  })
}

/** Whether a row matches a search (docs/internals/decisions.md, "Search"). */
function mentions(row: Row, text: string): boolean {
  return shownScalars(row.structure)
    .filter(({ type }) => isText(type))
    .map(({ name }) => scalarOf(row, name))
    .some((stored) => typeof stored === 'string' && matches(stored, '$containsi', text))
}
