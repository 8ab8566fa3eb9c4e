import { authorName, counts, dayOf, makeEntry, type Ids } from './data/content.js'
import { rareWords, words } from './data/words.js'
import type { Call } from '../start-server.js'

const kinds = ['essay', 'report', 'guide', 'interview', 'review']
const deep =
  'author,category.parent.parent,tags,related.author,related.category.parent,related.tags'
const uncounted = 'pagination[withCount]=false'
const page = (rows: number): string => `pagination[page]={page}&pagination[pageSize]=${rows}`
const populated = (populate: string, rows = 25): string =>
  `articles?populate=${populate}&${page(rows)}&${uncounted}`
const byKind = 'filters[kind][$eq]={kind}&filters[publishedOn][$gte]={from}'
const bySlug = 'filters[slug][$eq]={slug}&pagination[pageSize]=1'
const among = 'filters[author][name][$in]'
const byAuthors = `${among}[0]={author}&${among}[1]={second}`

/**
 * Each line has a name, a title, the request to Quire, and the request to the minimal servers (floors). Values of
 * placeholders depend on the request's number.
 */
export const scenarios = `
one | one document | GET articles/{article} | GET one/{article}
list | list of 25 with total | GET articles?${page(25)} | GET list?page={page}
filter | filter, sort, total | GET articles?${byKind}&sort=publishedOn:desc | GET filter?kind={kind}&from={from}
populate | author, category, tags | GET ${populated('author,category,tags')} | GET populate?page={page}
deep25 | three levels deep, 25 | GET ${populated(deep)} | GET deep?page={page}
deep100 | three levels deep, 100 | GET ${populated(deep, 100)} | GET deep?page={page}&size=100
star | populate=*, 25 | GET ${populated('*')} | GET star?page={page}
page | page of six blocks, pLevel=4 | GET pages?${bySlug}&pLevel=4&${uncounted} | GET page?slug={slug}&size=1
relation | filter through a relation, total | GET articles?${byAuthors} | GET relation?author={author}&author={second}
sort | sort through a relation | GET articles?sort=author.name&${page(25)}&${uncounted} | GET sort?page={page}
contains | $contains, total | GET articles?filters[summary][$contains]={words} | GET contains?word={words}
scan | $containsi, total | GET articles?filters[body][$containsi]={piece} | GET scan?word={piece}
create | create | POST articles | POST create
update | update of one field | PUT articles/{article} | PUT update/{article}`
  .trim()
  .split('\n')
  .map((line) => {
    const [name = '', title = '', quire = '', floor = ''] = line.split(' | ')
    return { name, title, quire: quire.replace(' ', ' /api/'), floor: floor.replace(' ', ' /') }
  })

export type Scenario = (typeof scenarios)[number]
export const writes = scenarios.filter(({ name }) => name === 'create' || name === 'update')

/**
 * Names of all scenarios, in display order. The last three have no line in `scenarios`, because they are measured
 * differently.
 */
export const scenarioNames = [...scenarios.map(({ name }) => name), 'mix', 'wave', 'start']

export const createdSlug = 'created-'

/**
 * Returns a function that converts a template such as `GET /api/articles/{article}` to the nth request. Values only
 * repeat after many requests.
 */
export function callsIn(ids: Ids): (request: string) => (n: number) => Call {
  const size = ids.article.length
  const pages = Math.max(1, Math.min(20, Math.floor(size / 100)))
  const values: Readonly<Record<string, (n: number) => string | number | undefined>> = {
    article: (n) => ids.article[(n * 7919) % size],
    articleSlug: (n) => `article-${(n * 7919 + 13) % size}`,
    page: (n) => 1 + (n % pages),
    firstPages: (n) => 1 + (n % 3),
    start: (n) => n % 100,
    kind: (n) => kinds[n % kinds.length],
    // A filter with this day selects the last two to four of the eight years with articles.
    from: (n) => dayOf(1400 + ((n * 13) % 709)),
    slug: (n) => `page-${n % counts.page}`,
    // A pair of author names only repeats after thousands of requests.
    author: (n) => authorName(n * 37),
    second: (n) => authorName(n * 37 + 1 + Math.floor(n / counts.author)),
    authorId: (n) => ids.author[(n * 37) % counts.author],
    // These words follow each other in about every thousandth summary.
    words: (n) =>
      `${words[n % words.length]} ${words[(n + 1 + Math.floor(n / words.length)) % words.length]}`,
    piece: pieceOf,
    views: (n) => 90_000 + (n % 997),
    source: (n) => String(makeEntry('article', (n * 7919) % size)['source']),
    minutes: (n) => 1 + (n % 25),
    moreMinutes: (n) => 2 + (n % 25),
    contact: (n) => `desk-${1 + (n % 40)}@example.org`,
  }
  const articles = Array.from({ length: Math.min(size, 100) }, (_, index) =>
    JSON.stringify({ data: { ...makeEntry('article', index, { ids }), slug: slugMark } }),
  )
  const bodies: Readonly<Record<string, (n: number) => string | undefined>> = {
    // Slugs must be unique.
    POST: (n) => articles[n % articles.length]?.replace(slugMark, `${createdSlug}${n}`),
    PUT: (n) => JSON.stringify({ data: { likes: n % 5000 } }),
  }
  return (request) => {
    const [method = '', path = ''] = request.split(' ')
    const pathOf = (n: number): string =>
      path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
        encodeURIComponent(values[name]?.(n) ?? ''),
      )
    return (n) => ({ method, path: pathOf(n), body: bodies[method]?.(n) })
  }
}

const slugMark = 'the slug'

/** Returns a part of a phrase such as `Of the zephyr.`. Searches for any part cost the same, and no request repeats. */
function pieceOf(n: number): string {
  const piece = `Of the ${rareWords[n % rareWords.length] ?? ''}.`
  const turn = Math.floor(n / rareWords.length)
  return piece.slice(turn % 8, piece.length - (Math.floor(turn / 8) % 4)).toUpperCase()
}
