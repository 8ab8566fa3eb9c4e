import { contentType, define } from '../../engine/schema/define.js'

const title = { title: { type: 'string' } }

export const smallRegistry = define(
  contentType(title, { options: { draftAndPublish: true } }, 'article'),
  contentType(title, { options: { draftAndPublish: false } }, 'tag'),
  {
    ...contentType(title, { kind: 'singleType', options: { draftAndPublish: true } }, 'homepage'),
  },
)
