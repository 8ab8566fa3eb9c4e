import { articleBody } from './data/article-body.js'
import { dayOf, kinds, makeArticle } from './data/articles.js'
import { pageCount, pageSlug } from './data/pages.js'
import { authorName, counts } from './data/people.js'
import { documentIdOf } from './data/random.js'
import { rareWords } from './data/words.js'
import type { ScenarioName } from './scenario-names.js'

export type Call = Readonly<{
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  path: string
  body?: string
}>

/** The nth request of a scenario, as each kind of server understands it. No two have the same values for long. */
export type Scenario = Readonly<{
  name: ScenarioName
  title: string
  quire: (n: number) => Call
  floor: (n: number) => Call
  /** Whether what is written has to be removed afterwards. */
  creates?: boolean
}>

export const deepPopulate =
  'author,category.parent.parent,tags,related.author,related.category.parent,related.tags'

/** The scenarios of a database of `size` articles. */
export function makeScenarios(size: number): readonly Scenario[] {
  const anyArticle = (n: number): string => documentIdOf('article', (n * 7919) % size)
  const pages = Math.max(1, Math.min(20, Math.floor(size / 100)))
  const pageOf = (n: number): number => 1 + (n % pages)
  /** A list without a total. */
  const populated = (
    name: ScenarioName,
    title: string,
    floor: string,
    populate: string,
    rows: number,
  ): Scenario => ({
    name,
    title,
    quire: (n) =>
      get(`/api/articles?populate=${populate}&${quirePage(pageOf(n), rows)}&${withoutTotal}`),
    floor: (n) => get(`/${floor}?page=${pageOf(n)}&size=${rows}`),
  })
  return [
    {
      name: 'one',
      title: 'one document',
      quire: (n) => get(`/api/articles/${anyArticle(n)}`),
      floor: (n) => get(`/one/${anyArticle(n)}`),
    },
    {
      name: 'list',
      title: 'list of 25 with total',
      quire: (n) => get(`/api/articles?${quirePage(pageOf(n), 25)}`),
      floor: (n) => get(`/list?page=${pageOf(n)}`),
    },
    {
      name: 'filter',
      title: 'filter, sort, total',
      quire: (n) =>
        get(
          `/api/articles?filters[kind][$eq]=${kindOf(n)}&filters[publishedOn][$gte]=${fromOf(n)}` +
            '&sort=publishedOn:desc',
        ),
      floor: (n) => get(`/filter?kind=${kindOf(n)}&from=${fromOf(n)}`),
    },
    populated('populate', 'author, category, tags', 'populate', 'author,category,tags', 25),
    populated('deep25', 'three levels deep, 25', 'deep', deepPopulate, 25),
    populated('deep100', 'three levels deep, 100', 'deep', deepPopulate, 100),
    populated('star', 'populate=*, 25', 'star', '*', 25),
    {
      name: 'page',
      title: 'page of six blocks, pLevel=4',
      quire: (n) =>
        get(
          `/api/pages?filters[slug][$eq]=${pageSlug(n % pageCount)}&pLevel=4` +
            `&${quirePage(1, 1)}&${withoutTotal}`,
        ),
      floor: (n) => get(`/page?slug=${pageSlug(n % pageCount)}&page=1&size=1`),
    },
    {
      name: 'relation',
      title: 'filter through a relation, total',
      quire: (n) => {
        const [first, second] = namesOf(n)
        const names = 'filters[author][name][$in]'
        return get(`/api/articles?${names}[0]=${first}&${names}[1]=${second}`)
      },
      floor: (n) => {
        const [first, second] = namesOf(n)
        return get(`/relation?author=${first}&author=${second}`)
      },
    },
    {
      name: 'sort',
      title: 'sort through a relation',
      quire: (n) =>
        get(`/api/articles?sort=author.name&${quirePage(pageOf(n), 25)}&${withoutTotal}`),
      floor: (n) => get(`/sort?page=${pageOf(n)}&size=25`),
    },
    {
      name: 'scan',
      title: '$containsi scan, total',
      quire: (n) => get(`/api/articles?filters[body][$containsi]=${pieceOf(n)}`),
      floor: (n) => get(`/scan?word=${pieceOf(n)}`),
    },
    {
      name: 'create',
      title: 'create',
      quire: (n) => ({ method: 'POST', path: '/api/articles', body: newBody(n, size, 'quire') }),
      floor: (n) => ({ method: 'POST', path: '/create', body: newBody(n, size, 'floor') }),
      creates: true,
    },
    {
      name: 'update',
      title: 'update of one field',
      quire: (n) => ({ ...update(n), path: `/api/articles/${anyArticle(n)}` }),
      floor: (n) => ({ ...update(n), path: `/update/${anyArticle(n)}` }),
    },
  ]
}

export const get = (path: string): Call => ({ method: 'GET', path })

const withoutTotal = 'pagination[withCount]=false'

const quirePage = (page: number, rows: number): string =>
  `pagination[page]=${page}&pagination[pageSize]=${rows}`

const kindOf = (n: number): string => kinds[n % kinds.length] ?? 'essay'
/** The last two to four of the eight years there are. */
const fromOf = (n: number): string => dayOf(1400 + ((n * 13) % 709))

/** Two authors; the pairs repeat after thousands of requests. */
const namesOf = (n: number): readonly [string, string] => [
  encodeURIComponent(authorName((n * 37) % counts.author)),
  encodeURIComponent(authorName((n * 37 + 1 + Math.floor(n / counts.author)) % counts.author)),
]

/** Pieces of `Of the zephyr.`, so that the searches differ while what they cost does not. */
function pieceOf(n: number): string {
  const piece = `Of the ${rareWords[n % rareWords.length] ?? ''}.`
  const turn = Math.floor(n / rareWords.length)
  const text = piece.slice(turn % 8, piece.length - (Math.floor(turn / 8) % 4))
  return encodeURIComponent(text.toUpperCase())
}

/** Bodies without their slug, which has to be each one's own. */
const templates = new Map<number, string>()
const slugMark = 'the slug'

function newBody(n: number, size: number, server: string): string {
  const index = n % Math.min(size, 100)
  const template = templates.get(index) ?? bodyTemplate(index, size)
  templates.set(index, template)
  return template.replace(slugMark, `${server}-${n}`)
}

function bodyTemplate(index: number, size: number): string {
  const article = makeArticle(index, size)
  const scalars = { ...article.scalars, slug: slugMark }
  return JSON.stringify({ data: articleBody({ ...article, scalars }) })
}

const update = (n: number): Pick<Call, 'method' | 'body'> & { method: 'PUT' } => ({
  method: 'PUT',
  body: JSON.stringify({ data: { likes: n % 5000 } }),
})
