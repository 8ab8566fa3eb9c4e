import { fullGrant, type Grant } from '../../../engine/schema/grant.js'
import type { Registry } from '../../../engine/schema/registry.js'
import { memoize } from '../../../engine/values/memoize.js'
import type { TokenKind } from './api-tokens.js'
import { compileGrant } from '../grants.js'
import { actionsOf } from '../permission-actions.js'

/**
 * Compiles the grant of an API token (docs/internals/decisions.md, "Permissions are given one by one"): all actions,
 * all reads, or the listed actions.
 */
export function compileTokenGrant(
  token: Readonly<{ type: TokenKind; permissions: readonly string[] }>,
  registry: Registry,
): Grant {
  switch (token.type) {
    case 'full-access':
      return fullGrant
    case 'read-only':
      return readOnlyGrant(registry)
    case 'custom':
      return compileGrant(token.permissions, 'with-find')
  }
}

/**
 * Grants `find` and `findOne` of every type, including built-in types, and no other read actions
 * (docs/internals/strapi-behaviour.md, "Credentials").
 */
const readOnlyGrant = memoize((registry: Registry): Grant => {
  const reads = [...actionsOf(registry).values()].filter(
    ({ name }) => name === 'find' || name === 'findOne',
  )
  const types = [...registry.contentTypes.keys()].filter((uid) => !uid.startsWith('admin::'))
  return compileGrant(
    [...reads.map(({ id }) => id), ...types.flatMap((uid) => [`${uid}.find`, `${uid}.findOne`])],
    'with-find',
  )
})
