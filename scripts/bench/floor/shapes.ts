import type { Document } from 'mongodb'

/** A document as the driver returns it. */
export type Stored = Readonly<Record<string, unknown>> & Readonly<{ documentId: string }>

const articleFields = [
  ...['title', 'slug', 'summary', 'body', 'kind', 'source', 'contact', 'views', 'likes', 'rating'],
  ...['readingMinutes', 'featured', 'publishedOn', 'eventAt', 'metadata'],
]
const authorFields = 'name slug email bio country born followers verified'.split(' ')
const categoryFields = 'name slug description position'.split(' ')
const tagFields = 'name slug color'.split(' ')
const pageFields = 'title slug'.split(' ')

/** What is read and shown of the documents of a collection. */
export type Shape = Readonly<{
  collection: string
  projection: Document
  /** The fields as the API shows them, without what is populated. */
  show: (stored: Stored) => object
}>

const shape = (
  collection: string,
  fields: readonly string[],
  show: (stored: Stored) => object,
): Shape => ({
  collection,
  projection: Object.fromEntries(
    ['_id', 'documentId', ...fields, 'createdAt', 'updatedAt', 'publishedAt'].map((name) => [
      name,
      1,
    ]),
  ),
  show,
})

// Literals with every member by name: the fastest objects that V8 makes.
export const articles = shape('articles', articleFields, (it) => ({
  id: it['_id'],
  documentId: it.documentId,
  title: it['title'],
  slug: it['slug'],
  summary: it['summary'],
  body: it['body'],
  kind: it['kind'],
  source: it['source'],
  contact: it['contact'],
  views: it['views'],
  likes: it['likes'],
  rating: it['rating'],
  readingMinutes: it['readingMinutes'],
  featured: it['featured'],
  publishedOn: it['publishedOn'],
  eventAt: it['eventAt'],
  metadata: it['metadata'],
  createdAt: it['createdAt'],
  updatedAt: it['updatedAt'],
  publishedAt: it['publishedAt'],
}))

export const authors = shape('authors', authorFields, (it) => ({
  id: it['_id'],
  documentId: it.documentId,
  name: it['name'],
  slug: it['slug'],
  email: it['email'],
  bio: it['bio'],
  country: it['country'],
  born: it['born'],
  followers: it['followers'],
  verified: it['verified'],
  createdAt: it['createdAt'],
  updatedAt: it['updatedAt'],
  publishedAt: it['publishedAt'],
}))

export const categories = shape('categories', categoryFields, (it) => ({
  id: it['_id'],
  documentId: it.documentId,
  name: it['name'],
  slug: it['slug'],
  description: it['description'],
  position: it['position'],
  createdAt: it['createdAt'],
  updatedAt: it['updatedAt'],
  publishedAt: it['publishedAt'],
}))

export const tags = shape('tags', tagFields, (it) => ({
  id: it['_id'],
  documentId: it.documentId,
  name: it['name'],
  slug: it['slug'],
  color: it['color'],
  createdAt: it['createdAt'],
  updatedAt: it['updatedAt'],
  publishedAt: it['publishedAt'],
}))

export const pages = shape('pages', pageFields, (it) => ({
  id: it['_id'],
  documentId: it.documentId,
  title: it['title'],
  slug: it['slug'],
  createdAt: it['createdAt'],
  updatedAt: it['updatedAt'],
  publishedAt: it['publishedAt'],
}))
