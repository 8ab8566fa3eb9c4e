import type { Definition } from '../../../engine/schema/content-type.js'
import type { SourcedDefinition } from '../../../engine/schema/define/define-all.js'

type Attributes = Readonly<Record<string, unknown>>
type Options = Readonly<{ drafts?: boolean; localized?: boolean; single?: boolean }>

export const i18n = { i18n: { localized: true } }

/** A small model with every kind of attribute, relation and version. */
export const definitions: readonly SourcedDefinition[] = [
  component('shared.seo', {
    title: { type: 'string', required: true },
    description: { type: 'text' },
    image: { type: 'media' },
    links: { type: 'component', component: 'shared.link', repeatable: true, max: 3 },
  }),
  component('shared.link', {
    label: { type: 'string', required: true },
    rank: { type: 'integer', default: 1 },
    to: { type: 'relation', relation: 'oneToOne', target: 'api::author.author' },
  }),
  contentType(
    'article',
    {
      title: { type: 'string', required: true, pluginOptions: i18n },
      slug: { type: 'uid' },
      views: { type: 'integer', min: 0 },
      big: { type: 'biginteger' },
      price: { type: 'decimal' },
      featured: { type: 'boolean', default: false },
      meta: { type: 'json' },
      kind: { type: 'enumeration', enum: ['news', 'guide'] },
      cover: { type: 'media' },
      author: relation('manyToOne', 'author', { inversedBy: 'articles' }),
      tags: relation('manyToMany', 'tag', { inversedBy: 'articles' }),
      related: relation('manyToMany', 'article'),
      seo: { type: 'component', component: 'shared.seo', pluginOptions: i18n },
      sections: { type: 'dynamiczone', components: ['shared.link'], pluginOptions: i18n },
    },
    { drafts: true, localized: true },
  ),
  contentType('author', {
    name: { type: 'string', required: true },
    email: { type: 'email', unique: true },
    secret: { type: 'password', minLength: 6 },
    articles: relation('oneToMany', 'article', { mappedBy: 'author' }),
    profile: relation('oneToOne', 'profile', { inversedBy: 'author' }),
  }),
  contentType('profile', {
    bio: { type: 'text' },
    author: relation('oneToOne', 'author', { mappedBy: 'profile' }),
  }),
  contentType(
    'tag',
    {
      name: { type: 'string', required: true },
      articles: relation('manyToMany', 'article', { mappedBy: 'tags' }),
    },
    { drafts: true },
  ),
  contentType('record', {
    text: { type: 'text' },
    count: { type: 'integer' },
    big: { type: 'biginteger' },
    ratio: { type: 'float' },
    price: { type: 'decimal' },
    flag: { type: 'boolean' },
    day: { type: 'date' },
    time: { type: 'time' },
    at: { type: 'datetime' },
    meta: { type: 'json' },
    list: { type: 'array' },
    blocks: { type: 'blocks' },
    mail: { type: 'email' },
    pin: { type: 'password' },
    slug: { type: 'uid' },
    color: { type: 'string', regex: '^#[0-9a-f]{6}$' },
  }),
  contentType(
    'homepage',
    {
      heading: { type: 'string', required: true, pluginOptions: i18n },
      featured: relation('manyToMany', 'article'),
    },
    { drafts: true, localized: true, single: true },
  ),
  contentType('setting', { siteName: { type: 'string' } }, { single: true }),
]

export function relation(kind: string, target: string, sides: Attributes = {}): Attributes {
  return { type: 'relation', relation: kind, target: `api::${target}.${target}`, ...sides }
}

export function contentType(
  name: string,
  attributes: Attributes,
  { drafts = false, localized = false, single = false }: Options = {},
): SourcedDefinition {
  const definition: Definition = {
    kind: single ? 'singleType' : 'collectionType',
    collectionName: `${name}s`,
    info: { singularName: name, pluralName: `${name}s`, displayName: name },
    options: { draftAndPublish: drafts },
    pluginOptions: localized ? i18n : {},
    attributes,
  }
  return { kind: 'content-type', uid: `api::${name}.${name}`, source: 'test', definition }
}

export function component(uid: string, attributes: Attributes): SourcedDefinition {
  const definition: Definition = { info: { displayName: uid }, attributes }
  return { kind: 'component', uid, source: 'test', definition }
}

/** Returns albums and labels, both with drafts. Albums have one relation of each kind to labels. */
export function albumsAndLabels(
  more: Readonly<Partial<Record<'album' | 'label', Attributes>>> = {},
): readonly SourcedDefinition[] {
  return [
    contentType(
      'album',
      {
        ...more.album,
        labels: relation('manyToMany', 'label', { inversedBy: 'albums' }),
        parts: relation('oneToMany', 'label', { inversedBy: 'whole' }),
        partner: relation('oneToOne', 'label', { inversedBy: 'owner' }),
      },
      { drafts: true },
    ),
    contentType(
      'label',
      {
        ...more.label,
        albums: relation('manyToMany', 'album', { mappedBy: 'labels' }),
        whole: relation('manyToOne', 'album', { mappedBy: 'parts' }),
        owner: relation('oneToOne', 'album', { mappedBy: 'partner' }),
      },
      { drafts: true },
    ),
  ]
}
