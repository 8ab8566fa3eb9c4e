import { fail } from '../../../engine/errors.js'
import type { AccessFeature } from '../create-access.js'
import type { ApiToken, TokenDraft, TokenKind } from './api-tokens.js'
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
} from '../../http/routes/json-schemas.js'
import { dataReply, found, idOf, type Route } from '../../http/route.js'
import { showMembers } from '../../http/response/show-members.js'
import { routesOf } from '../../http/routes/routes-of.js'
import { unknownKeysOf, validateBody } from '../../http/request/validate-body.js'
import { changeBody, newBody, tokenKinds } from './token-bodies.js'

/**
 * Routes of API tokens (docs/internals/decisions.md, "Permissions are given one by one", "Secrets are kept as hashes"
 * and "Admins are apart"). A key is only in the response to the request that creates it.
 */
export function apiTokenRoutes(access: AccessFeature): readonly Route[] {
  const { tokens, report } = access
  return routesOf(
    { guard: 'admin', tag: 'API tokens' },
    {
      'GET /admin/api-tokens': {
        id: 'listTokens',
        summary: 'The API tokens',
        answer: inData(list(members(shown))),
        handle: async () => dataReply((await tokens.list()).map(show)),
      },
      'POST /admin/api-tokens': {
        id: 'createToken',
        summary: 'Create an API token. Only this response contains the token',
        body: newBody,
        answers: { 201: inData(members({ ...shown, accessKey: text })) },
        handle: async (request) => {
          unknownKeysOf(newBody, request.body).forEach(request.ignored)
          const draft = readDraft(request.body, access)
          const { token, accessKey } = await tokens.create(draft, actorOf(request.caller))
          const { id, type, permissions } = token
          report('token-created', request, { token: id, type, permissions })
          return dataReply({ ...show(token), accessKey }, 201)
        },
      },
      'GET /admin/api-tokens/:id': {
        id: 'readToken',
        summary: 'An API token',
        answer: tokenAnswer,
        handle: async (request) =>
          dataReply(show(found(await tokens.find(idOf(request)), noToken))),
      },
      'PUT /admin/api-tokens/:id': {
        id: 'changeToken',
        summary: 'Change an API token',
        body: changeBody,
        answer: tokenAnswer,
        handle: async (request) => {
          const token = found(await tokens.find(idOf(request)), noToken)
          unknownKeysOf(changeBody, request.body).forEach(request.ignored)
          const change = readChange(request.body, token, access)
          const changed = found(await tokens.update(token.id, change), noToken)
          const { id, type, permissions } = changed
          report('token-changed', request, { token: id, type, permissions })
          return dataReply(show(changed))
        },
      },
      'DELETE /admin/api-tokens/:id': {
        id: 'deleteToken',
        summary: 'Delete an API token',
        answer: tokenAnswer,
        handle: async (request) => {
          const token = found(await tokens.remove(idOf(request)), noToken)
          report('token-removed', request, { token: token.id })
          return dataReply(show(token))
        },
      },
      'POST /admin/api-tokens/:id/regenerate': {
        id: 'regenerateToken',
        summary: 'Generate a new key for an API token',
        answers: { 201: inData(members({ accessKey: text })) },
        handle: async (request) => {
          const made = found(await tokens.regenerate(idOf(request)), noToken)
          report('token-regenerated', request, { token: made.token.id })
          return dataReply({ accessKey: made.accessKey }, 201)
        },
      },
    },
  )
}

function readDraft(body: unknown, { actions }: AccessFeature): TokenDraft {
  const draft = validateBody(newBody, body)
  return {
    name: draft.name.trim(),
    description: draft.description ?? '',
    type: draft.type,
    permissions: permissionsOf(draft.type, draft.permissions ?? [], actions),
    lifespan: draft.lifespan ?? null,
  }
}

function readChange(body: unknown, token: ApiToken, { actions }: AccessFeature) {
  const change = validateBody(changeBody, body)
  const kind = change.type ?? token.type
  const listed = change.permissions ?? token.permissions
  return {
    name: change.name?.trim() ?? token.name,
    description: change.description ?? token.description,
    type: kind,
    // Check only actions in the request: stored actions may have disappeared with their content-type.
    permissions:
      change.permissions === undefined && kind === 'custom'
        ? listed
        : permissionsOf(kind, listed, actions),
  }
}

/** Only custom tokens have a list of actions. */
function permissionsOf(
  kind: TokenKind,
  requested: readonly string[],
  actions: AccessFeature['actions'],
): readonly string[] {
  if (kind !== 'custom') return []
  if (requested.length === 0)
    throw fail('validation', 'Missing permissions attribute for custom token')
  const known = actions()
  const unknownActions = requested.filter((action) => !known.has(action))
  if (unknownActions.length > 0)
    throw fail('application', `Unknown permissions provided: ${unknownActions.join(', ')}`)
  return [...new Set(requested)].sort()
}

const noToken = 'API Token not found'

const show = (token: ApiToken) => showMembers(shown, token)

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
