import type { Registry } from '../../../../engine/schema/registry.js'
import { component, contentType, define } from '../../schema/define.js'

const relation = (kind: string, target: string, more: object = {}) => ({
  ...{ type: 'relation', relation: kind, target: `api::${target}.${target}` },
  ...more,
})
const parts = (uid: string, more: object = {}) => ({ type: 'component', component: uid, ...more })

/** Content-types whose relations lead on, end, and lead back in every way, for tests of populate trees. */
export const agency: Registry = define(
  contentType(
    {
      title: { type: 'string' },
      secret: relation('manyToOne', 'firm', { private: true }),
      author: relation('manyToOne', 'author', { inversedBy: 'pages' }),
      editor: relation('manyToOne', 'author'),
      topics: relation('manyToMany', 'topic', { inversedBy: 'pages' }),
      cover: { type: 'media' },
      seo: parts('shared.seo'),
      blocks: { type: 'dynamiczone', components: ['block.hero', 'block.teaser'] },
    },
    {
      collectionName: 'pages',
      options: { draftAndPublish: true, populateCreatorFields: true },
      pluginOptions: { i18n: { localized: true } },
    },
    'page',
  ),
  contentType(
    {
      name: { type: 'string' },
      pages: relation('oneToMany', 'page', { mappedBy: 'author' }),
      portrait: { type: 'media' },
      firm: relation('manyToOne', 'firm', { inversedBy: 'staff' }),
    },
    { collectionName: 'people' },
    'author',
  ),
  contentType(
    {
      name: { type: 'string' },
      logo: { type: 'media' },
      staff: relation('oneToMany', 'author', { mappedBy: 'firm' }),
      landing: relation('oneToOne', 'page'),
      owner: relation('oneToOne', 'firm'),
      topic: relation('manyToOne', 'topic'),
    },
    { collectionName: 'firms' },
    'firm',
  ),
  contentType(
    {
      name: { type: 'string' },
      pages: relation('manyToMany', 'page', { mappedBy: 'topics' }),
      parent: relation('manyToOne', 'topic', { inversedBy: 'children' }),
      children: relation('oneToMany', 'topic', { mappedBy: 'parent' }),
      deep: relation('manyToOne', 'firm'),
      all: relation('manyToOne', 'firm'),
    },
    { collectionName: 'topics' },
    'topic',
  ),
  component('shared.seo', { metaTitle: { type: 'string' }, image: { type: 'media' } }),
  component('block.hero', { heading: { type: 'string' }, link: parts('shared.link') }),
  component('block.teaser', { topic: relation('oneToOne', 'topic') }),
  component('shared.link', { label: { type: 'string' }, target: relation('oneToOne', 'page') }),
)
