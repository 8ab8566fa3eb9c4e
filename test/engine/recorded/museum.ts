import type { Registry } from '../../../engine/schema/registry.js'
import { component, contentType, define } from '../schema/define.js'

const relation = (kind: string, target: string, more: object = {}) => ({
  ...{ type: 'relation', relation: kind, target: `api::${target}.${target}` },
  ...more,
})

/** A museum: works with drafts in several languages, their artists, and rooms without drafts. */
export const museum: Registry = define(
  contentType(
    {
      title: { type: 'string' },
      year: { type: 'integer' },
      price: { type: 'decimal' },
      number: { type: 'biginteger' },
      weight: { type: 'float' },
      shown: { type: 'boolean' },
      made: { type: 'date' },
      opens: { type: 'time' },
      sold: { type: 'datetime' },
      technique: { type: 'enumeration', enum: ['oil', 'ink'] },
      notes: { type: 'json' },
      text: { type: 'blocks' },
      secret: { type: 'password' },
      value: { type: 'integer', private: true },
      owner: relation('manyToOne', 'artist', { private: true }),
      artist: relation('manyToOne', 'artist', { inversedBy: 'works' }),
      rooms: relation('manyToMany', 'room', { inversedBy: 'works' }),
      sequel: relation('oneToOne', 'work', { inversedBy: 'original' }),
      original: relation('oneToOne', 'work', { mappedBy: 'sequel' }),
      similar: relation('manyToMany', 'work'),
      picture: { type: 'media' },
      scans: { type: 'media', multiple: true },
      frame: { type: 'component', component: 'parts.frame' },
      labels: { type: 'component', component: 'parts.label', repeatable: true },
      story: { type: 'dynamiczone', components: ['parts.label', 'parts.quote'] },
    },
    {
      collectionName: 'works',
      options: { draftAndPublish: true, populateCreatorFields: true },
      pluginOptions: { i18n: { localized: true } },
    },
    'work',
  ),
  contentType(
    {
      name: { type: 'string' },
      born: { type: 'date' },
      works: relation('oneToMany', 'work', { mappedBy: 'artist' }),
      teacher: relation('manyToOne', 'artist', { inversedBy: 'pupils' }),
      pupils: relation('oneToMany', 'artist', { mappedBy: 'teacher' }),
    },
    { collectionName: 'artists', options: { draftAndPublish: true } },
    'artist',
  ),
  contentType(
    {
      name: { type: 'string' },
      floor: { type: 'integer' },
      works: relation('manyToMany', 'work', { mappedBy: 'rooms' }),
      guard: relation('oneToOne', 'artist'),
    },
    { collectionName: 'rooms' },
    'room',
  ),
  contentType(
    { word: { type: 'string' }, room: relation('manyToOne', 'room') },
    { collectionName: 'signs', pluginOptions: { i18n: { localized: true } } },
    'sign',
  ),
  component('parts.frame', {
    colour: { type: 'string' },
    maker: relation('oneToOne', 'artist'),
    labels: { type: 'component', component: 'parts.label', repeatable: true },
  }),
  component('parts.label', {
    line: { type: 'string' },
    size: { type: 'integer' },
    hidden: { type: 'string', private: true },
    sign: relation('oneToOne', 'sign'),
    rooms: relation('oneToMany', 'room'),
    logo: { type: 'media' },
  }),
  component('parts.quote', { words: { type: 'text' }, by: relation('oneToOne', 'artist') }),
)
