import { authorName, counts, dayOf, makeEntry, type Ids } from './data/content.js'
import { rareWords, words } from './data/words.js'

export type Call = Readonly<{
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  path: string
  body?: string
}>

/** The nth request of a scenario, for each kind of server. No two have the same values for long. */
export type Scenario = Readonly<{
  name: string
  title: string
  quire: (n: number) => Call
  floor: (n: number) => Call
}>

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

/** Name, title, and the paths for Quire and for the floors. What stands in braces depends on n. */
const reads = `
one | one document | articles/{article} | one/{article}
list | list of 25 with total | articles?${page(25)} | list?page={page}
filter | filter, sort, total | articles?${byKind}&sort=publishedOn:desc | filter?kind={kind}&from={from}
populate | author, category, tags | ${populated('author,category,tags')} | populate?page={page}
deep25 | three levels deep, 25 | ${populated(deep)} | deep?page={page}
deep100 | three levels deep, 100 | ${populated(deep, 100)} | deep?page={page}&size=100
star | populate=*, 25 | ${populated('*')} | star?page={page}
page | page of six blocks, pLevel=4 | pages?${bySlug}&pLevel=4&${uncounted} | page?slug={slug}&size=1
relation | filter through a relation, total | articles?${byAuthors} | relation?author={author}&author={second}
sort | sort through a relation | articles?sort=author.name&${page(25)}&${uncounted} | sort?page={page}
contains | $contains, total | articles?filters[summary][$contains]={words} | contains?word={words}
scan | $containsi, total | articles?filters[body][$containsi]={piece} | scan?word={piece}`
  .trim()
  .split('\n')
  .map((line) => line.split(' | ') as [name: string, title: string, quire: string, floor: string])

/** In the order in which they are shown; the last three are measured in ways of their own. */
export const scenarioNames: readonly string[] = [
  ...reads.map(([name]) => name),
  ...['create', 'update', 'mix', 'wave', 'start'],
]

/** Makes the nth call of a path, in which what stands in braces depends on n. */
export function callsIn(ids: Ids): (path: string) => (n: number) => Call {
  const size = ids.article.length
  const pages = Math.max(1, Math.min(20, Math.floor(size / 100)))
  const values: Readonly<Record<string, (n: number) => string | number | undefined>> = {
    article: (n) => ids.article[(n * 7919) % size],
    articleSlug: (n) => `article-${(n * 7919 + 13) % size}`,
    page: (n) => 1 + (n % pages),
    firstPages: (n) => 1 + (n % 3),
    start: (n) => n % 100,
    kind: (n) => kinds[n % kinds.length],
    // The last two to four of the eight years there are.
    from: (n) => dayOf(1400 + ((n * 13) % 709)),
    slug: (n) => `page-${n % counts.page}`,
    // Two authors; the pairs repeat after thousands of requests.
    author: (n) => authorName(n * 37),
    second: (n) => authorName(n * 37 + 1 + Math.floor(n / counts.author)),
    authorId: (n) => ids.author[(n * 37) % counts.author],
    // Two words that follow each other in about every thousandth summary.
    words: (n) =>
      `${words[n % words.length]} ${words[(n + 1 + Math.floor(n / words.length)) % words.length]}`,
    piece: pieceOf,
    views: (n) => 90_000 + (n % 997),
    source: (n) => String(makeEntry('article', (n * 7919) % size)['source']),
    minutes: (n) => 1 + (n % 25),
    moreMinutes: (n) => 2 + (n % 25),
    contact: (n) => `desk-${1 + (n % 40)}@example.org`,
  }
  return (path) => (n) =>
    get(
      path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
        encodeURIComponent(values[name]?.(n) ?? ''),
      ),
    )
}

/** The scenarios of a database with these documents. */
export function makeScenarios(ids: Ids): readonly Scenario[] {
  const read = callsIn(ids)
  const bodies = Array.from({ length: Math.min(ids.article.length, 100) }, (_, index) =>
    JSON.stringify({ data: { ...makeEntry('article', index, { ids }), slug: slugMark } }),
  )
  // A slug has to be unique.
  const create = (path: string) => (n: number) => {
    const body = (bodies[n % bodies.length] ?? '').replace(slugMark, `${createdSlug}${n}`)
    return { method: 'POST', path, body } as const
  }
  const update = (path: string) => (n: number) => {
    const body = JSON.stringify({ data: { likes: n % 5000 } })
    return { ...read(path)(n), method: 'PUT', body } as const
  }
  return [
    ...reads.map(([name, title, quire, floor]) => {
      return { name, title, quire: read(`/api/${quire}`), floor: read(`/${floor}`) }
    }),
    { name: 'create', title: 'create', quire: create('/api/articles'), floor: create('/create') },
    {
      name: 'update',
      title: 'update of one field',
      quire: update('/api/articles/{article}'),
      floor: update('/update/{article}'),
    },
  ]
}

export const get = (path: string): Call => ({ method: 'GET', path })

/** Pieces of `Of the zephyr.`, so that the searches differ while what they cost does not. */
function pieceOf(n: number): string {
  const piece = `Of the ${rareWords[n % rareWords.length] ?? ''}.`
  const turn = Math.floor(n / rareWords.length)
  return piece.slice(turn % 8, piece.length - (Math.floor(turn / 8) % 4)).toUpperCase()
}

/** What the slugs of created articles begin with. */
export const createdSlug = 'created-'
const slugMark = 'the slug'
