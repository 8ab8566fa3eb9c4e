import type { Document } from 'mongodb'
import type { Node, Shape, Tree } from './populate.js'

/** The locale of all documents that a floor reads. Only articles have a second locale. */
export const locale = 'en'

/** The projection renames the record id to `id`, so that documents need no conversion. */
function shape(collection: string, fields: string, more: Document = {}): Shape {
  const names = ['documentId', ...fields.split(' '), 'createdAt', 'updatedAt', 'publishedAt']
  const shown = Object.fromEntries(names.map((name) => [name, 1]))
  return { collection, projection: { _id: 0, id: '$_id', ...shown, ...more }, locale: null }
}

const articleFields =
  'title slug summary body content kind source contact views likes rating readingMinutes featured publishedOn ' +
  'eventAt metadata locale'
export const articles: Shape = {
  ...shape('articles', articleFields, {
    price: { $toDouble: '$price' },
    circulation: { $toString: '$circulation' },
  }),
  locale,
}
export const authors = shape('authors', 'name slug email bio country born followers verified')
export const pages = shape('pages', 'title slug blocks')
const categories = shape('categories', 'name slug description position')
const tags = shape('tags', 'name slug color')

/** A category with this number of populated levels of ancestors. */
const category = (levels: number): Node => ({
  of: categories,
  tree: levels === 0 ? undefined : { parent: category(levels - 1) },
})

const references = (levels = 0): Tree => ({
  author: { of: authors },
  category: category(levels),
  tags: { of: tags },
})

/** `populate=author,category,tags`. */
export const flat: Node = { of: articles, tree: references() }

/** `populate=author,category.parent.parent,tags,related.author,related.category.parent,related.tags`. */
export const deep: Node = {
  of: articles,
  tree: { ...references(2), related: { of: articles, tree: references(1) } },
}

/** `populate=*`. */
export const everything: Node = {
  of: { ...articles, projection: { ...articles.projection, seo: 1, sections: 1 } },
  tree: {
    ...references(),
    related: { of: articles },
    localizations: {
      of: { ...articles, locale: { $ne: locale } },
      from: [{ documentId: '$documentId' }],
    },
  },
}
