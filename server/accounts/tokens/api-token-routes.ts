import { fail } from '../../../engine/errors.js'
import type {
  AccessControl,
  ApiToken,
  MadeToken,
  TokenDraft,
  TokenKind,
} from '../access-control.js'
import { actorOf } from '../caller.js'
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
import { reply, type HttpRequest, type Json, type Route } from '../../http/route.js'
import { strangersOf, validateBody } from '../../http/validate-body.js'
import { changeBody, newBody, tokenKinds } from './token-bodies.js'

type Dependencies = Pick<AccessControl, 'tokens' | 'actions' | 'report'>

/**
 * API tokens (docs/decisions.md, "Permissions are given one by one", "Secrets are kept as hashes" and "Admins
 * are apart"): the text of a key is in the answer that makes it, and nowhere after.
 */
export function apiTokenRoutes(access: Dependencies): readonly Route[] {
  const { tokens, report } = access
  const guard = { kind: 'admin' } as const
  const path = '/admin/api-tokens'
  return [
    {
      method: 'GET',
      path,
      guard,
      documented: {
        id: 'listTokens',
        summary: 'The API tokens',
        tag,
        answers: { 200: inData(list(members(shown))) },
      },
      handle: async () => reply(200, { data: (await tokens.list()).map(show) }),
    },
    {
      method: 'POST',
      path,
      guard,
      documented: {
        id: 'createToken',
        summary: 'Make an API token, whose text is in this answer alone',
        tag,
        body: newBody,
        answers: { 201: inData(members({ ...shown, accessKey: text })) },
      },
      handle: async (request) => {
        strangersOf(newBody, request.body).forEach(request.ignored)
        const draft = readDraft(request.body, access)
        const made = await tokens.create(draft, actorOf(request.caller))
        const { id, type, permissions } = made.token
        report('token-created', request, { token: id, type, permissions })
        return reply(201, { data: showMade(made) })
      },
    },
    {
      method: 'GET',
      path: `${path}/:id`,
      guard,
      documented: { id: 'readToken', summary: 'An API token', tag, answers: { 200: tokenAnswer } },
      handle: async ({ params }) =>
        reply(200, { data: show(found(await tokens.find(idOf(params)))) }),
    },
    {
      method: 'PUT',
      path: `${path}/:id`,
      guard,
      documented: {
        id: 'changeToken',
        summary: 'Change what an API token may do',
        tag,
        body: changeBody,
        answers: { 200: tokenAnswer },
      },
      handle: async (request) => {
        const token = found(await tokens.find(idOf(request.params)))
        strangersOf(changeBody, request.body).forEach(request.ignored)
        const change = readChange(request.body, token, access)
        const changed = found(await tokens.update(token.id, change))
        const { id, type, permissions } = changed
        report('token-changed', request, { token: id, type, permissions })
        return reply(200, { data: show(changed) })
      },
    },
    {
      method: 'DELETE',
      path: `${path}/:id`,
      guard,
      documented: {
        id: 'deleteToken',
        summary: 'End an API token',
        tag,
        answers: { 200: tokenAnswer },
      },
      handle: async (request) => {
        const token = found(await tokens.remove(idOf(request.params)))
        report('token-removed', request, { token: token.id })
        return reply(200, { data: show(token) })
      },
    },
    {
      method: 'POST',
      path: `${path}/:id/regenerate`,
      guard,
      documented: {
        id: 'regenerateToken',
        summary: 'A new text for an API token',
        tag,
        answers: { 201: inData(members({ accessKey: text })) },
      },
      handle: async (request) => {
        const { accessKey, token } = found(await tokens.regenerate(idOf(request.params)))
        report('token-regenerated', request, { token: token.id })
        return reply(201, { data: { accessKey } })
      },
    },
  ]
}

function readDraft(body: unknown, { actions }: Dependencies): TokenDraft {
  const draft = validateBody(newBody, body)
  return {
    name: draft.name.trim(),
    description: draft.description ?? '',
    type: draft.type,
    permissions: permissionsOf(draft.type, draft.permissions ?? [], actions),
    lifespan: draft.lifespan ?? null,
  }
}

function readChange(body: unknown, token: ApiToken, { actions }: Dependencies) {
  const change = validateBody(changeBody, body)
  const kind = change.type ?? token.type
  const listed = change.permissions ?? token.permissions
  return {
    name: change.name?.trim() ?? token.name,
    description: change.description ?? token.description,
    type: kind,
    // What the token has may have left with its type; only what is asked for now is checked.
    permissions:
      change.permissions === undefined && kind === 'custom'
        ? listed
        : permissionsOf(kind, listed, actions),
  }
}

/** A custom token needs its list; the other kinds have none. */
function permissionsOf(
  kind: TokenKind,
  asked: readonly string[],
  actions: Dependencies['actions'],
): readonly string[] {
  if (kind !== 'custom') return []
  if (asked.length === 0)
    throw fail('validation', { message: 'Missing permissions attribute for custom token' })
  const known = new Set(actions().map(({ id }) => id))
  const strangers = asked.filter((action) => !known.has(action))
  if (strangers.length > 0)
    throw fail('application', { message: `Unknown permissions provided: ${strangers.join(', ')}` })
  return [...new Set(asked)].sort()
}

/** An id that no token has for a path that holds none. */
const idOf = (params: HttpRequest['params']): number =>
  /^\d{1,15}$/.test(params['id'] ?? '') ? Number(params['id']) : -1

function found<T>(token: T | undefined): T {
  if (token === undefined) throw fail('not-found-because', { message: 'API Token not found' })
  return token
}

const show = (token: ApiToken): { readonly [key: string]: Json } => ({
  id: token.id,
  name: token.name,
  description: token.description,
  type: token.type,
  permissions: token.permissions,
  lifespan: token.lifespan,
  expiresAt: token.expiresAt?.toISOString() ?? null,
  lastUsedAt: token.lastUsedAt?.toISOString() ?? null,
  createdAt: token.createdAt.toISOString(),
  updatedAt: token.updatedAt.toISOString(),
})

const showMade = ({ token, accessKey }: MadeToken): Json => ({ ...show(token), accessKey })

const shown = {
  id: whole,
  name: text,
  description: text,
  type: { enum: tokenKinds },
  permissions: list(text),
  lifespan: wholeOrNull,
  expiresAt: momentOrNull,
  lastUsedAt: momentOrNull,
  createdAt: moment,
  updatedAt: moment,
}
const tokenAnswer = inData(members(shown))
const tag = 'API tokens'
