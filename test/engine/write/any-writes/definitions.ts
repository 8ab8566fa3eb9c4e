import { albumsAndLabels, component, contentType, i18n, relation } from '../model.js'

const localized = { pluginOptions: i18n }
const twoSided = (kind: string, target: string, inversedBy: string) =>
  relation(kind, target, { inversedBy })
const inverse = (kind: string, target: string, mappedBy: string) =>
  relation(kind, target, { mappedBy })
const link = { type: 'component', component: 'shared.link' }
const links = { ...link, repeatable: true, max: 2 }
const seo = { type: 'component', component: 'shared.seo' }
const zone = { type: 'dynamiczone', components: ['shared.link', 'shared.seo'] }
const both = { drafts: true, localized: true }

/** Content-types with and without drafts, locales and many documents, with every kind of relation. */
export const definitions = [
  component('shared.link', {
    label: { type: 'string', required: true },
    rank: { type: 'integer', default: 1 },
    mark: { type: 'text', unique: true },
    to: relation('oneToOne', 'topic'),
    places: relation('oneToMany', 'place'),
  }),
  component('shared.seo', {
    title: { type: 'string', required: true },
    image: { type: 'media' },
    links,
  }),
  ...albumsAndLabels(),
  contentType(
    'page',
    {
      title: { type: 'string', required: true, ...localized },
      code: { type: 'string', unique: true, ...localized },
      views: { type: 'integer' },
      cover: { type: 'media' },
      gallery: { type: 'media', multiple: true, ...localized },
      seo: { ...seo, ...localized },
      links: { ...links, ...localized },
      teaser: link,
      zone,
      topics: twoSided('manyToMany', 'topic', 'pages'),
      lead: twoSided('oneToOne', 'topic', 'leads'),
      place: twoSided('manyToOne', 'place', 'pages'),
      related: relation('manyToMany', 'page'),
      note: inverse('oneToOne', 'note', 'page'),
    },
    both,
  ),
  contentType(
    'topic',
    {
      name: { type: 'string', ...localized },
      pages: inverse('manyToMany', 'page', 'topics'),
      leads: inverse('oneToOne', 'page', 'lead'),
      places: inverse('manyToMany', 'place', 'topics'),
      note: inverse('manyToOne', 'note', 'parts'),
    },
    both,
  ),
  contentType('place', {
    name: { type: 'string', required: true },
    code: { type: 'string', unique: true },
    photo: { type: 'media' },
    links,
    pages: inverse('oneToMany', 'page', 'place'),
    topics: twoSided('manyToMany', 'topic', 'places'),
    labels: relation('manyToMany', 'label'),
  }),
  contentType(
    'note',
    {
      text: { type: 'string', ...localized },
      stars: { type: 'integer' },
      seo: { ...seo, ...localized },
      page: twoSided('oneToOne', 'page', 'note'),
      parts: twoSided('oneToMany', 'topic', 'note'),
    },
    { localized: true },
  ),
  contentType(
    'home',
    {
      heading: { type: 'string', required: true, ...localized },
      tone: { type: 'string' },
      zone: { ...zone, ...localized },
      teaser: link,
      pages: relation('manyToMany', 'page'),
    },
    { ...both, single: true },
  ),
  contentType(
    'setting',
    { name: { type: 'string' }, links, favourite: relation('oneToOne', 'page') },
    { single: true },
  ),
]
