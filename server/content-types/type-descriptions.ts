import type { Documented } from '../http/documented.js'
import { inData, list, members, text } from '../http/json-schemas.js'

const object = { type: 'object' }
const contentType = members({ uid: text, apiID: text, schema: object }, { plugin: text })
const component = members({ uid: text, category: text, apiId: text, schema: object })
const tag = 'Definitions'

/** What `kind` may be. */
export const contentTypeKinds = ['collectionType', 'singleType'] as const

/** What the API's document says of the endpoints of definitions, by their paths. */
export const typeDescriptions = {
  'content-types': {
    id: 'listContentTypes',
    summary: 'Definitions of content-types',
    tag,
    query: [
      {
        name: 'kind',
        description: 'Of this kind alone',
        schema: { enum: contentTypeKinds },
      },
    ],
    answers: { 200: inData(list(contentType)) },
  },
  'content-types/:uid': {
    id: 'readContentType',
    summary: 'The definition of a content-type',
    tag,
    answers: { 200: inData(contentType) },
  },
  components: {
    id: 'listComponents',
    summary: 'Definitions of components',
    tag,
    answers: { 200: inData(list(component)) },
  },
  'components/:uid': {
    id: 'readComponent',
    summary: 'The definition of a component',
    tag,
    answers: { 200: inData(component) },
  },
} as const satisfies Record<string, Documented>
