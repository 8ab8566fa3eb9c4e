import { contentType, define } from '../../engine/schema/define.js'

const title = { title: { type: 'string' } }

/** Articles with drafts, tags without drafts, and a single type. */
export const smallRegistry = define(
  contentType(title, { options: { draftAndPublish: true } }, 'article'),
  contentType(title, { options: { draftAndPublish: false } }, 'tag'),
  {
    ...contentType(title, { kind: 'singleType', options: { draftAndPublish: true } }, 'homepage'),
  },
)
