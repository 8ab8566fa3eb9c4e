/**
 * The TypeScript modules of `test/fixtures/magazine`. They are strings, because tools would treat files as code of this
 * repository.
 */
export const magazineModules: Readonly<Record<string, string>> = {
  'src/api/event/content-types/event/schema.ts': `import type { Struct } from '@strapi/strapi'
import { slugs } from './slugs'

const title = { type: 'string', required: true } as const

export default {
  kind: 'collectionType',
  collectionName: 'events',
  info: { singularName: 'event', pluralName: 'events', displayName: \`Event\` },
  options: { draftAndPublish: false },
  attributes: {
    title,
    seats: { type: 'integer', min: -1, max: 1_000, default: 10 },
    slug: { type: 'string', regex: /^[a-z-]+$/, default: slugs.next() },
    place: {
      type: 'relation',
      relation: 'manyToOne',
      target: 'api::place.place',
      inversedBy: 'events',
    },
    poll: { type: 'relation', relation: 'oneToOne', target: 'plugin::polls.poll' },
  },
} as const satisfies Partial<Struct.CollectionTypeSchema>
`,
  'src/api/place/content-types/place/schema.js': `'use strict'

module.exports = {
  kind: 'collectionType',
  collectionName: 'places',
  info: { singularName: 'place', pluralName: 'places', displayName: 'Place' },
  options: { draftAndPublish: false },
  attributes: {
    name: { type: 'string' },
    events: {
      type: 'relation',
      relation: 'oneToMany',
      target: 'api::event.event',
      mappedBy: 'place',
    },
  },
}
`,
  'src/plugins/opinion/server/src/content-types/poll/index.ts': `import schema from './schema.json'

export default { schema }
`,
  'src/plugins/opinion/server/src/content-types/index.ts': `import poll from './poll'

export default { poll }
`,
}
