import type { Documented } from '../../http/documented.js'
import {
  inData,
  list,
  members,
  moment,
  momentOrNull,
  text,
  whole,
  wholeOrNull,
} from '../../http/json-schemas.js'
import * as bodies from './token-bodies.js'

const shown = {
  id: whole,
  name: text,
  description: text,
  type: { enum: bodies.tokenKinds },
  permissions: list(text),
  lifespan: wholeOrNull,
  expiresAt: momentOrNull,
  lastUsedAt: momentOrNull,
  createdAt: moment,
  updatedAt: moment,
}
const token = inData(members(shown))
const tag = 'API tokens'

/** What the API's document says of the endpoints of API tokens. */
export const tokenDescriptions = {
  list: {
    id: 'listTokens',
    summary: 'The API tokens',
    tag,
    answers: { 200: inData(list(members(shown))) },
  },
  create: {
    id: 'createToken',
    summary: 'Make an API token, whose text is in this answer alone',
    tag,
    body: bodies.newBody,
    answers: { 201: inData(members({ ...shown, accessKey: text })) },
  },
  read: { id: 'readToken', summary: 'An API token', tag, answers: { 200: token } },
  change: {
    id: 'changeToken',
    summary: 'Change what an API token may do',
    tag,
    body: bodies.changeBody,
    answers: { 200: token },
  },
  remove: { id: 'deleteToken', summary: 'End an API token', tag, answers: { 200: token } },
  regenerate: {
    id: 'regenerateToken',
    summary: 'A new text for an API token',
    tag,
    answers: { 201: inData(members({ accessKey: text })) },
  },
} as const satisfies Record<string, Documented>
