import { fail } from '../../../engine/errors.js'
import type { Grant } from '../../../engine/schema/grant.js'
import type { AccessControl } from '../access-control.js'
import { writerOf } from '../caller.js'
import { reply, type HttpRequest, type Reply, type Route } from '../../http/route.js'
import type { Services } from '../../lifecycle/services.js'
import { readChangedUser, readNewUser } from './user-bodies.js'
import { countingQuery, withLargestPage } from './user-queries.js'
import { createUsers } from './users.js'

const action = (name: string) =>
  ({ kind: 'content', action: `plugin::users-permissions.user.${name}` }) as const

/** A user who is read is populated as the type says; whoever writes one is answered with the role. */
const read = { defaultPopulate: true } as const

/**
 * `/api/users` (docs/decisions.md, "Users"): no envelope, numeric ids, parameters that are not understood are
 * passed over.
 */
export function userRoutes(
  services: Services,
  {
    userChanged,
    endSessions,
    report,
  }: Pick<AccessControl, 'userChanged' | 'endSessions' | 'report'>,
): readonly Route[] {
  const users = createUsers(services, userChanged)
  const shown = async (status: number, id: number, search: string, grant: Grant): Promise<Reply> =>
    reply(status, (await users.show(id, { search, grant })).bytes)
  // With the role, as Strapi answers writes, where the project has not made it private.
  const written = (status: number, id: number, grant: Grant): Promise<Reply> =>
    shown(status, id, users.showRoles() ? 'populate=role' : '', grant)
  const found = async (
    id: number,
    { search, caller: { grant }, signal, asker, ignored }: HttpRequest,
  ): Promise<Reply> =>
    reply(200, (await users.show(id, { search, grant, signal, asker, ignored, ...read })).bytes)

  return [
    {
      method: 'GET',
      path: '/api/users',
      guard: action('find'),
      handle: async ({ search, caller: { grant }, signal, asker, ignored }) => {
        const size = services.settings['api.rest.maxLimit']
        const page = withLargestPage(search, size)
        const { bytes } = await users.list({ search: page, grant, signal, asker, ignored, ...read })
        return reply(200, bytes)
      },
    },
    {
      method: 'GET',
      path: '/api/users/count',
      guard: action('count'),
      handle: async ({ search, caller: { grant }, signal, asker }) =>
        reply(200, await users.count({ search: countingQuery(search), grant, signal, asker })),
    },
    {
      method: 'GET',
      path: '/api/users/me',
      guard: action('me'),
      handle: (request) => {
        const { caller } = request
        if (caller.kind !== 'user') throw fail('unauthorized-because', { message: 'Unauthorized' })
        return found(caller.user.id, request)
      },
    },
    {
      method: 'GET',
      path: '/api/users/:id',
      guard: action('findOne'),
      handle: async (request) => found((await users.find(request.params['id']))._id, request),
    },
    {
      method: 'POST',
      path: '/api/users',
      guard: action('create'),
      exactNumbers: true,
      handle: async (request) => {
        const data = readNewUser(request.body)
        const id = await users.create(data, writer(request))
        report('user-created', request, { user: id })
        return written(201, id, request.caller.grant)
      },
    },
    {
      method: 'PUT',
      path: '/api/users/:id',
      guard: action('update'),
      exactNumbers: true,
      handle: async (request) => {
        const user = await users.find(request.params['id'])
        const data = readChangedUser(request.body)
        await users.update(user, data, writer(request))
        if (data['blocked'] === true || data.password !== undefined) await endSessions(user._id)
        const changed = Object.keys(data).filter((key) => userKeys.has(key))
        report('user-changed', request, { user: user._id, changed })
        return written(200, user._id, request.caller.grant)
      },
    },
    {
      method: 'DELETE',
      path: '/api/users/:id',
      guard: action('destroy'),
      handle: async (request) => {
        const user = await users.find(request.params['id'])
        const shownBefore = await shown(200, user._id, '', request.caller.grant)
        await users.remove(user, writerOf(request))
        await endSessions(user._id)
        report('user-removed', request, { user: user._id })
        return shownBefore
      },
    },
  ]
}

const writer = (request: HttpRequest) => ({
  grant: request.caller.grant,
  // A user's body is not below `data`.
  ignored: (path: string) => request.ignored(path.replace(/^data\./, '')),
  ...writerOf(request),
})

/** What of a change matters to who may do what. */
const userKeys = new Set(['username', 'email', 'password', 'role', 'confirmed', 'blocked'])
