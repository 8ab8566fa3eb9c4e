import type { Article } from './articles.js'
import { documentIdOf } from './random.js'

/** An article as the API takes it. */
export function articleBody({ scalars, seo, sections, ...relations }: Article): object {
  const { author, category, tags, related } = relations
  return {
    ...scalars,
    author: documentIdOf('author', author),
    category: documentIdOf('category', category),
    tags: tags.map((index) => documentIdOf('tag', index)),
    related: related.map((index) => documentIdOf('article', index)),
    seo,
    sections,
  }
}
