/** Supported filters and sorts. Compiled with the project, and by `test/client/uses.test.ts`. */
import { createClient } from '../../../client/main.js'
import type { ArticleFilters, Quire } from '../quire.js'

const client = createClient<Quire>({ baseUrl: 'https://site.example/api' })
const articles = client.collection('articles')

export async function ask(since: Date | undefined): Promise<void> {
  await articles.find({
    filters: {
      title: { $containsi: 'rain', $not: { $endsWith: '!' } },
      slug: null,
      kind: ['news', 'guide'],
      views: { $between: [1, 10] },
      bigViews: { $gt: 9_007_199_254_740_993n },
      featured: true,
      meta: { colour: { $eq: 'red' } },
      releaseAt: { $gte: since },
      author: { articles: { title: { $startsWith: 'a' } }, $notNull: true },
      category: 'a-document-id',
      tags: [1, 2],
      related: { $none: { title: 'a', $not: { views: 1 } }, $every: { id: [1, 2] }, views: 1 },
      seo: { social: { profile: { name: 'Ana' }, $some: { network: 'x', $notNull: true } } },
      gallery: { $none: { mime: { $startsWith: 'video' } } },
      cover: { mime: { $contains: 'image' } },
      localizations: { locale: 'fr' },
      $or: [{ title: 'a' }, { $and: [{ views: 1 }, { $not: { rating: { $lt: 2 } } }] }],
    },
    sort: ['title:desc', 'author.name', { category: { parent: { name: 'asc' } } }],
    _q: 'rain',
    publicationFilter: 'modified',
  })
  const shared: ArticleFilters = { title: { $eq: 'a' } }
  await articles.find({ filters: shared, sort: { views: 'desc' } })
  await articles.findOne('a', { filters: shared, hasPublishedVersion: true })
}
