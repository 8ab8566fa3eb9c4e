import { rareWords } from '../../../scripts/bench/data/words.js'
import { attackSize, documentIdOf } from './model.js'
import type { Call } from './orders.js'

export const cheapReads: readonly Call[] = Array.from({ length: 20 }, (_, index) => [
  {
    label: 'one article',
    path: `/api/articles/${documentIdOf('article', (index * 37) % attackSize.articles)}?fields=title`,
    refused: 'never' as const,
  },
  { label: '/_health', path: '/_health', refused: 'never' as const },
]).flat()

/** Returns a call with a short URL. Its response has nearly 1 MB per tag. */
export const tagsWithArticles = (pageSize: number): Call => ({
  label: `${pageSize} tags with articles`,
  path: `/api/tags?pagination[pageSize]=${pageSize}&populate=articles`,
  refused: 'by a bound',
})

/** Short URLs that are expensive to serve. */
export const heavyQueries: readonly Call[] = [
  ...rareWords.slice(0, 8).map((word) => ({
    label: 'many $containsi',
    path: `/api/articles?pagination[pageSize]=1&${containsAny([word, 'oak', 'elm', 'rain', 'sun'])}`,
  })),
  {
    label: 'sort without an index',
    path: '/api/articles?sort=views:desc,body&fields=title&pagination[pageSize]=5',
  },
  {
    label: 'sort without an index',
    path: '/api/articles?sort=body&fields=title&pagination[pageSize]=1&pagination[page]=5900',
  },
  {
    label: 'deep populate',
    path: '/api/tags?pagination[pageSize]=3&populate[articles][populate][tags][populate][articles][fields]=title',
  },
  {
    label: 'filter through relations',
    path: '/api/tags?fields=name&pagination[pageSize]=1&filters[articles][tags][articles][body][$containsi]=quokka',
  },
].map((call) => ({ ...call, refused: 'by a bound' }))

function containsAny(words: readonly string[]): string {
  return Array.from(
    { length: 20 },
    (_, index) => `filters[$or][${index}][body][$containsi]=${words[index % words.length]}${index}`,
  ).join('&')
}

/** URLs of about 120 KB, the limit of a request line. Each is expensive to parse in a different way. */
export const hostileTexts: readonly Call[] = [
  `/api/articles?populate=${'a.'.repeat(62_000)}`,
  `/api/articles?populate=${'a,b,'.repeat(30_000)}`,
  `/api/articles?populate=${'a.b,'.repeat(30_000)}`,
  `/api/articles?populate[0]=${'a.'.repeat(60_000)}`,
  `/api/articles?populate[tags][populate]=${'a.'.repeat(60_000)}`,
  `/api/articles?sort=${'a.'.repeat(60_000)}`,
  `/api/articles?fields=${'title,'.repeat(20_000)}x`,
  `/api/articles?filters${'[$not]'.repeat(20_000)}[title]=a`,
].map((path) => ({ label: 'hostile texts', path, refused: 'always' }))
