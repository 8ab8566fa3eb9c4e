/** The query string of `/api/users` with a size: the answer has no `meta`, so it is as long as may be. */
export function withLargestPage(search: string, size: number): string {
  const named = pairsOf(search).some(([key]) => key.startsWith('pagination'))
  return named ? search : joined(search, `pagination[limit]=${size}`)
}

/** What counts of a query string for `/api/users/count`: which users, not how they are shown. */
export function countingQuery(search: string): string {
  const filters = pairsOf(search)
    .filter(([key]) => key === '_q' || key === 'filters' || key.startsWith('filters['))
    .map(([, pair]) => pair)
  return joined(filters.join('&'), 'fields=id&pagination[pageSize]=1')
}

/** Each pair of a query string with its decoded key. */
function pairsOf(search: string): readonly (readonly [key: string, pair: string])[] {
  return search
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => [decode(pair.slice(0, (pair + '=').indexOf('='))), pair])
}

function decode(key: string): string {
  try {
    return decodeURIComponent(key)
  } catch {
    return key
  }
}

const joined = (search: string, more: string): string =>
  search === '' ? more : `${search}&${more}`
