import { builtIn } from '../../../engine/schema/registry.js'
import { fail } from '../../../engine/errors.js'
import type { AccessFeature } from '../create-access.js'
import { writerOf } from '../caller.js'
import { requestedRead } from '../../http/request/http-request.js'
import type { EntrySchemas, JsonSchema } from '../../http/documented.js'
import { list, whole } from '../../http/routes/json-schemas.js'
import { granted, reply, type HttpRequest, type Reply, type Route } from '../../http/route.js'
import { routesOf } from '../../http/routes/routes-of.js'
import type { Services } from '../../services.js'
import { changedUser, newUser, readUser } from './user-bodies.js'
import { createUsers } from './users.js'

/** Reads of users apply the type's default populate. */
const readBy = (request: HttpRequest) =>
  ({ ...requestedRead(request), defaultPopulate: true }) as const

/** Routes of `/api/users`, without envelope and with numeric ids (docs/internals/decisions.md, "Users"). */
export function userRoutes(
  services: Services,
  { userChanged, endSessions, report }: AccessFeature,
): readonly Route[] {
  const users = createUsers(services, userChanged)
  /** Reads a written user for the reply. Passes no `client`, so that this read is not rejected if the queue is full. */
  const shown = async (
    status: number,
    id: number,
    search: string,
    { caller: { grant }, timeline }: HttpRequest,
  ): Promise<Reply> => reply(status, (await users.show(id, { search, grant, timeline })).bytes)
  // Include the role, as Strapi does, unless the project made it private.
  const written = (status: number, id: number, request: HttpRequest): Promise<Reply> =>
    shown(status, id, users.showRoles() ? 'populate=role' : '', request)
  const found = async (id: number, request: HttpRequest): Promise<Reply> =>
    reply(200, (await users.show(id, readBy(request))).bytes)

  return routesOf(
    { guard: granted('users-permissions.user.find'), tag: 'Users' },
    {
      'GET /api/users': {
        id: 'listUsers',
        summary: 'List users, without an envelope',
        lists: builtIn.user,
        answer: (schemas) => list(user(schemas)),
        handle: async (request) => {
          const search = withLargestPage(request.search, services.settings['api.rest.maxLimit'])
          return reply(200, (await users.list({ ...readBy(request), search })).bytes)
        },
      },
      'GET /api/users/count': {
        id: 'countUsers',
        summary: 'Count users',
        guard: granted('users-permissions.user.count'),
        answer: whole,
        handle: async ({ search: sent, caller: { grant }, signal, client, timeline }) => {
          const search = countingQuery(sent)
          return reply(200, await users.count({ search, grant, signal, client, timeline }))
        },
      },
      'GET /api/users/me': {
        id: 'readOwnUser',
        summary: 'Show the calling user',
        guard: granted('users-permissions.user.me'),
        shows: builtIn.user,
        answer: user,
        handle: (request) => {
          const { caller } = request
          if (caller.kind !== 'user') throw fail('unauthorized-because', 'Unauthorized')
          return found(caller.user.id, request)
        },
      },
      'GET /api/users/:id': {
        id: 'readUser',
        summary: 'A user',
        guard: granted('users-permissions.user.findOne'),
        shows: builtIn.user,
        answer: user,
        handle: async (request) => found((await users.find(request.params.id))._id, request),
      },
      'POST /api/users': {
        id: 'createUser',
        summary: 'Make a user',
        guard: granted('users-permissions.user.create'),
        body: newUser,
        answers: { 201: user },
        exactNumbers: true,
        handle: async (request) => {
          const data = readUser(newUser, request.body)
          const id = await users.create(data, writer(request))
          report('user-created', request, { user: id })
          return written(201, id, request)
        },
      },
      'PUT /api/users/:id': {
        id: 'changeUser',
        summary: 'Change a user. Attributes that are not sent stay unchanged',
        guard: granted('users-permissions.user.update'),
        body: changedUser,
        answer: user,
        exactNumbers: true,
        handle: async (request) => {
          const user = await users.find(request.params.id)
          const data = readUser(changedUser, request.body)
          await users.update(user, data, writer(request))
          if (data.blocked === true || data.password !== undefined) await endSessions(user._id)
          const changed = Object.keys(data).filter((key) => userKeys.has(key))
          report('user-changed', request, { user: user._id, changed })
          return written(200, user._id, request)
        },
      },
      'DELETE /api/users/:id': {
        id: 'deleteUser',
        summary: 'Delete a user',
        guard: granted('users-permissions.user.destroy'),
        answer: user,
        handle: async (request) => {
          const user = await users.find(request.params.id)
          const shownBefore = await shown(200, user._id, '', request)
          await users.remove(user, writerOf(request))
          await endSessions(user._id)
          report('user-removed', request, { user: user._id })
          return shownBefore
        },
      },
    },
  )
}

const writer = (request: HttpRequest) => ({
  grant: request.caller.grant,
  // The body of a user has no `data` member.
  ignored: (path: string) => request.ignored(path.replace(/^data\./, '')),
  ...writerOf(request),
})

/** Members of a user whose changes are logged as security events. */
const userKeys = new Set(['username', 'email', 'password', 'role', 'confirmed', 'blocked'])

const user = ({ entry }: EntrySchemas): JsonSchema => entry(builtIn.user)

/** Requests the largest page if the query has no pagination: without `meta`, clients would not notice further pages. */
function withLargestPage(search: string, size: number): string {
  const named = pairsOf(search).some(([key]) => key.startsWith('pagination'))
  return named ? search : joined(search, `pagination[limit]=${size}`)
}

/** Keeps only the parameters that select users. */
function countingQuery(search: string): string {
  const filters = pairsOf(search)
    .filter(([key]) => key === '_q' || key === 'filters' || key.startsWith('filters['))
    .map(([, pair]) => pair)
  return joined(filters.join('&'), 'fields=id&pagination[pageSize]=1')
}

function pairsOf(search: string): readonly (readonly [key: string, pair: string])[] {
  return search
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => [decode(pair.slice(0, (pair + '=').indexOf('='))), pair])
}

function decode(key: string): string {
  try {
    return decodeURIComponent(key)
  } catch {
    return key
  }
}

const joined = (search: string, more: string): string =>
  search === '' ? more : `${search}&${more}`
