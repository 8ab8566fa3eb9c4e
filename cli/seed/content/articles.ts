import type { ArticleSeed } from './article-seed.js'
import { ideas } from './articles/ideas.js'
import { making } from './articles/making.js'
import { nature } from './articles/nature.js'
import { places } from './articles/places.js'

/** All articles, the oldest first, so that each is created after those it refers to. */
export const articles: readonly ArticleSeed[] = [...places, ...making, ...nature, ...ideas].sort(
  (a, b) => (a.publishedOn < b.publishedOn ? -1 : 1),
)
