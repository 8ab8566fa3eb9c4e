import type { Grant } from '../../engine/schema/grant.js'
import { digest } from './texts.js'

/**
 * Determines which actions include drafts (docs/decisions.md, "Drafts are not public"). `by-action`, for roles: the
 * action `findDrafts` does. `with-find`, for tokens, and for roles if `api.rest.publicDrafts`: `find` does too.
 */
export type DraftRule = 'by-action' | 'with-find'

/** Compiles a grant of these actions. Its key does not depend on their order. */
export function compileGrant(actions: Iterable<string>, drafts: DraftRule): Grant {
  const all = new Set(actions)
  if (drafts === 'with-find') {
    for (const action of [...all])
      if (action.endsWith('.find')) all.add(action.replace(/find$/, 'findDrafts'))
  }
  return { key: digest(JSON.stringify([...all].sort())), actions: all }
}
