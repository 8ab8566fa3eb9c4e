import type { SourcedDefinition } from '../../../../../engine/schema/define/define-all.js'
import type { Registry } from '../../../../../engine/schema/registry.js'
import { component, contentType, define } from '../../../schema/define.js'

const relation = (kind: string, name: string, more: object = {}) => ({
  type: 'relation',
  relation: kind,
  target: `api::${name}.${name}`,
  ...more,
})
const drafts = { options: { draftAndPublish: true } }
const locales = { pluginOptions: { i18n: { localized: true } } }

/** A content model with everything that reads have to handle. */
export const libraryDefinitions: readonly SourcedDefinition[] = [
  contentType(
    {
      title: { type: 'string' },
      body: { type: 'richtext', storedAs: 'body2' },
      genre: { type: 'enumeration', enum: ['a', 'b', 'É'] },
      pages: { type: 'integer' },
      score: { type: 'float' },
      big: { type: 'biginteger' },
      price: { type: 'decimal', index: true },
      live: { type: 'boolean' },
      day: { type: 'date' },
      hour: { type: 'time' },
      at: { type: 'datetime' },
      meta: { type: 'json' },
      words: { type: 'array' },
      secret: { type: 'password' },
      note: { type: 'string', private: true },
      cover: { type: 'media' },
      gallery: { type: 'media', multiple: true },
      author: relation('manyToOne', 'author', { inversedBy: 'books', storedAs: 'writer' }),
      topics: relation('manyToMany', 'topic', { inversedBy: 'books' }),
      shelf: relation('manyToOne', 'shelf', { inversedBy: 'books' }),
      related: relation('manyToMany', 'book'),
      sequel: relation('oneToOne', 'book', { inversedBy: 'prequel' }),
      prequel: relation('oneToOne', 'book', { mappedBy: 'sequel' }),
      seo: { type: 'component', component: 'shared.seo' },
      links: { type: 'component', component: 'shared.link', repeatable: true },
      extras: { type: 'component', component: 'shared.link', repeatable: true },
      parts: { type: 'dynamiczone', components: ['shared.link', 'shared.quote'] },
    },
    {
      ...{ collectionName: 'books', ...locales },
      options: { draftAndPublish: true, populateCreatorFields: true },
    },
    'book',
  ),
  contentType(
    {
      name: { type: 'string' },
      born: { type: 'date' },
      books: relation('oneToMany', 'book', { mappedBy: 'author' }),
      favourite: relation('oneToOne', 'topic'),
      home: relation('manyToOne', 'shelf', { inversedBy: 'authors' }),
      seo: { type: 'component', component: 'shared.seo' },
    },
    { collectionName: 'authors' },
    'author',
  ),
  contentType(
    {
      name: { type: 'string' },
      rank: { type: 'biginteger' },
      books: relation('manyToMany', 'book', { mappedBy: 'topics' }),
      wider: relation('manyToOne', 'topic', { inversedBy: 'narrower' }),
      narrower: relation('oneToMany', 'topic', { mappedBy: 'wider' }),
    },
    { collectionName: 'topics', ...drafts },
    'topic',
  ),
  contentType(
    {
      name: { type: 'string' },
      place: { type: 'integer' },
      books: relation('oneToMany', 'book', { mappedBy: 'shelf' }),
      authors: relation('oneToMany', 'author', { mappedBy: 'home' }),
      links: { type: 'component', component: 'shared.link', repeatable: true },
    },
    { collectionName: 'shelves', ...locales },
    'shelf',
  ),
  component('shared.seo', {
    title: { type: 'string' },
    image: { type: 'media' },
    source: { type: 'component', component: 'shared.quote' },
    links: { type: 'component', component: 'shared.link', repeatable: true },
  }),
  component('shared.link', {
    label: { type: 'string' },
    weight: { type: 'decimal' },
    book: relation('oneToOne', 'book'),
    quotes: { type: 'component', component: 'shared.quote', repeatable: true },
  }),
  component('shared.quote', {
    text: { type: 'text' },
    length: { type: 'integer' },
    by: relation('oneToOne', 'author'),
    about: relation('oneToMany', 'topic'),
  }),
]

export const library: Registry = define(...libraryDefinitions)
