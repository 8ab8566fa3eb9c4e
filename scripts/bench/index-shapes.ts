import { dayOf, kinds, makeArticle } from './data/articles.js'
import { counts } from './data/people.js'
import { documentIdOf } from './data/random.js'
import type { Call } from './scenarios.js'
import { get } from './scenarios.js'

/** A query of articles that scans or sorts in memory where nobody thought of an index. */
export type IndexShape = Readonly<{ title: string; call: (n: number) => Call }>

/** The indexes that somebody who knows the ten queries would give articles. */
export const handMade: readonly (readonly string[])[] = [
  ['kind', 'publishedOn'],
  ['kind', 'featured', 'rating'],
  ['featured', 'publishedOn'],
  ['contact', 'eventAt'],
  ['likes'],
  ['views'],
  ['source'],
  ['readingMinutes'],
]

/** Ten of them, of `size` articles; all but the fourth ask for totals. */
export function indexShapes(size: number): readonly IndexShape[] {
  const kindOf = (n: number): string => kinds[n % kinds.length] ?? 'essay'
  const shape = (title: string, query: (n: number) => string): IndexShape => ({
    title,
    call: (n) => get(`/api/articles?${query(n)}&pagination[page]=${1 + (n % 3)}`),
  })
  return [
    shape('equal, range, sorted by it', (n) => {
      const from = dayOf(1400 + ((n * 13) % 709))
      return `${equal('kind', kindOf(n))}&filters[publishedOn][$gte]=${from}&sort=publishedOn:desc`
    }),
    shape('equal', (n) => equal('kind', kindOf(n))),
    shape('rarely true, sorted', () => `${equal('featured', 'true')}&sort=publishedOn:desc`),
    shape('sorted, no total', () => `sort=likes:desc&pagination[withCount]=false`),
    shape('range, sorted by it', (n) => `filters[views][$gte]=${90_000 + (n % 997)}&sort=views`),
    shape('two equal, sorted', (n) => {
      const both = `${equal('kind', kindOf(n))}&${equal('featured', 'true')}`
      return `${both}&sort=rating:desc`
    }),
    shape('equal to a text of its own', (n) =>
      equal('source', String(makeArticle((n * 7919) % size, size).scalars['source'])),
    ),
    shape('of an author, sorted', (n) => {
      const author = documentIdOf('author', (n * 37) % counts.author)
      return `filters[author][documentId][$eq]=${author}&sort=publishedOn:desc`
    }),
    shape('range', (n) => {
      const from = 1 + (n % 25)
      return `filters[readingMinutes][$between][0]=${from}&filters[readingMinutes][$between][1]=${from + 1}`
    }),
    shape('equal, sorted by a time', (n) => {
      const contact = `desk-${1 + (n % 40)}@example.org`
      return `${equal('contact', contact)}&sort=eventAt:desc`
    }),
  ]
}

const equal = (attribute: string, value: string): string =>
  `filters[${attribute}][$eq]=${encodeURIComponent(value)}`
