/** Inferred types of aggregations. Compiled with the project, and by `test/client/uses.test.ts`. */
import { createClient } from '../../../client/main.js'
import type { Quire } from '../quire.js'
import { typed } from './typed.js'

const client = createClient<Quire>({ baseUrl: 'https://site.example/api' })
const articles = client.collection('articles')

export async function keys(): Promise<void> {
  typed<{ group: Record<never, never>; count: number }[]>().is((await articles.aggregate()).data)
  typed<{ group: { kind: 'news' | 'review' | 'guide' | null }; count: number }[]>().is(
    (await articles.aggregate({ groupBy: 'kind' })).data,
  )
  typed<
    { group: { title: string; featured: boolean | null; locale: string }; count: number }[]
  >().is((await articles.aggregate({ groupBy: ['title', 'featured', 'locale'], locale: '*' })).data)
  const { data, meta } = await articles.aggregate({
    groupBy: [
      'publishedAt:month',
      'releaseDate:week',
      'releaseAt:hour',
      'author.name',
      'author.createdAt:year',
      'tags.id',
      'category.parent.rank',
      'seo.social.profile.favorite.name',
      'cover.mime',
    ],
    count: '*',
  })
  typed<
    {
      group: {
        'publishedAt:month': string
        'releaseDate:week': string | null
        'releaseAt:hour': string | null
        'author.name': string | null
        'author.createdAt:year': string | null
        'tags.id': number | null
        'category.parent.rank': number | null
        'seo.social.profile.favorite.name': string | null
        'cover.mime': string | null
      }
      count: number
    }[]
  >().is(data)
  typed<number>().is(meta.pagination.pageCount)
  // A draft may lack required values, and has no publishedAt.
  typed<{ group: { title: string | null; 'publishedAt:day': null }; count: number }[]>().is(
    (await articles.aggregate({ groupBy: ['title', 'publishedAt:day'], status: 'draft' })).data,
  )
}

export async function measures(): Promise<void> {
  const { data, meta } = await articles.aggregate({
    groupBy: 'author.name',
    sum: ['views', 'bigViews'],
    avg: 'rating',
    min: ['title', 'kind', 'releaseDate'],
    max: ['bigViews', 'seo.metaTitle', 'id'],
    sort: ['sum.views:desc', 'author.name', 'max.seo.metaTitle:asc'],
    filters: { author: { name: { $startsWith: 'A' } } },
    pagination: { start: 0, limit: 5, withCount: false },
    _q: 'rain',
    publicationFilter: 'modified',
  })
  typed<
    {
      group: { 'author.name': string | null }
      sum: { views: number; bigViews: string }
      avg: { rating: number | null }
      min: {
        title: string | null
        kind: 'news' | 'review' | 'guide' | null
        releaseDate: string | null
      }
      max: { bigViews: string | null; 'seo.metaTitle': string | null; id: number | null }
    }[]
  >().is(data)
  typed<{ start: number; limit: number }>().is(meta.pagination)
  const counted = await articles.aggregate({ count: '*', sum: 'views', sort: 'count:desc' })
  typed<{ group: Record<never, never>; count: number; sum: { views: number } }[]>().is(counted.data)
  const dates = await articles.aggregate({ groupBy: 'releaseAt:month', sort: 'releaseAt:desc' })
  typed<string | null | undefined>().is(dates.data[0]?.group['releaseAt:month'])
}

/** Groups and measures that are known only at runtime are optional. */
export async function maybe(): Promise<void> {
  const some: ('kind' | 'author.name')[] = ['kind']
  const isSummed = Math.random() > 0.5
  const { data } = await articles.aggregate({
    groupBy: some,
    sum: isSummed ? 'views' : undefined,
    max: 'title',
  })
  typed<
    {
      group: { kind?: 'news' | 'review' | 'guide' | null; 'author.name'?: string | null }
      sum?: { views: number }
      max: { title: string | null }
    }[]
  >().is(data)
}
