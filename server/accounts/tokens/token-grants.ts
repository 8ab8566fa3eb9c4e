import { fullGrant, type Grant } from '../../../engine/schema/grant.js'
import type { Registry } from '../../../engine/schema/registry.js'
import { memoize } from '../../../engine/values/memoize.js'
import type { TokenKind } from './api-tokens.js'
import { compileGrant } from '../grants.js'
import { actionsOf } from '../permission-actions.js'

/**
 * Compiles a token's grant: all actions, all reads, or the listed ones (docs/internals/decisions.md, "Permissions are
 * given one by one").
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
 * Grants `find` and `findOne` of all types, including built-in ones, but no other reads
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
