import { builtIn } from '../../../engine/schema/registry.js'
import type { Documented, EntrySchemas, JsonSchema } from '../../http/documented.js'
import { list, whole } from '../../http/json-schemas.js'
import { changedUser, newUser } from './user-bodies.js'

const user = ({ entry }: EntrySchemas): JsonSchema => entry(builtIn.user)
const tag = 'Users'

/** What the API's document says of `/api/users`. */
export const userDescriptions = {
  list: {
    id: 'listUsers',
    summary: 'Users, without an envelope',
    tag,
    lists: builtIn.user,
    answers: { 200: (schemas: EntrySchemas) => list(user(schemas)) },
  },
  count: {
    id: 'countUsers',
    summary: 'How many users there are',
    tag,
    answers: { 200: whole },
  },
  me: {
    id: 'readOwnUser',
    summary: 'The user who calls',
    tag,
    shows: builtIn.user,
    answers: { 200: user },
  },
  read: {
    id: 'readUser',
    summary: 'A user',
    tag,
    shows: builtIn.user,
    answers: { 200: user },
  },
  create: { id: 'createUser', summary: 'Make a user', tag, body: newUser, answers: { 201: user } },
  change: {
    id: 'changeUser',
    summary: 'Change a user; what is not named stays',
    tag,
    body: changedUser,
    answers: { 200: user },
  },
  remove: { id: 'deleteUser', summary: 'Delete a user', tag, answers: { 200: user } },
} as const satisfies Record<string, Documented>
