/** The equivalent in Quire of a GET of Strapi 3. */
export type Asked = Readonly<{
  /** Several, if one request to Quire does not return everything that the request to Strapi 3 does. */
  paths: readonly string[]
  locale: string
  isDraft: boolean
}>

const operators: Readonly<Record<string, string>> = {
  gt: '$gt',
  contains: '$containsi',
  null: '$null',
  in: '$in',
}

/** Translates a request of Strapi 3. The result populates everything that Strapi 3 populates by default. */
export function askNewer(path: string): Asked {
  const url = new URL(path, 'http://former')
  const query = new URLSearchParams()
  const given = url.searchParams
  const locales =
    given.get('_locale') === 'all' ? ['en', 'fr'] : [given.get('_locale') ?? undefined]
  const isDraft =
    given.get('_publicationState') === 'preview' || path.startsWith('/content-manager/')
  if (isDraft) query.set('status', 'draft')
  for (const [key, value] of given) {
    if (key === '_locale' || key === '_publicationState') continue
    if (key === '_sort')
      query.set(
        'sort',
        value.replace(/:(ASC|DESC)$/, (direction) => direction.toLowerCase()),
      )
    else if (key === '_limit') query.set('pagination[limit]', value)
    else if (key === '_start') query.set('pagination[start]', value)
    else
      query.append(filterOf(key, [...given.keys()].filter((one) => one === key).length > 1), value)
  }
  const isCount = url.pathname.endsWith('/count')
  if (!query.has('pagination[limit]') && /^\/[a-z]+(\/count)?$/.test(url.pathname))
    query.set('pagination[limit]', '100')
  if (!isCount) query.set('pLevel', '5')
  const name = url.pathname
    .replace('/content-manager/collection-types/application::article.article', '/articles')
    .replace(/\/count$/, '')
  return {
    paths: locales.map((locale) => {
      const localized = new URLSearchParams(query)
      if (locale !== undefined) localized.set('locale', locale)
      return `/api${name}?${localized.toString()}`
    }),
    locale: locales[0] ?? 'en',
    isDraft,
  }
}

/** Translates filters such as `_where[views_gt]`, `kind_in` and `tags.name`. */
function filterOf(key: string, isMany: boolean): string {
  const name = /^_where\[(.+)\]$/.exec(key)?.[1] ?? key
  const [, field = name, operator = ''] = /^(.+)_([a-z]+)$/.exec(name) ?? []
  const known = operators[operator]
  const place = (known === undefined ? name : field)
    .split('.')
    .map((part) => `[${part}]`)
    .join('')
  return `filters${place}[${known ?? '$eq'}]${isMany ? '[]' : ''}`
}
