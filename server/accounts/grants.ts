import type { Grant } from '../../engine/schema/grant.js'
import { digest } from './texts.js'

/**
 * Which actions permit reading drafts (docs/internals/decisions.md, "Drafts are not public"). `by-action`: only
 * `findDrafts`. This is the default for roles. `with-find`: `find` too. This is used for tokens, and also for roles if
 * `api.rest.publicDrafts` is set.
 */
export type DraftRule = 'by-action' | 'with-find'

/** Compiles a grant from actions. The grant's key does not depend on their order. */
export function compileGrant(actions: Iterable<string>, drafts: DraftRule): Grant {
  const all = new Set(actions)
  if (drafts === 'with-find') {
    for (const action of [...all])
      if (action.endsWith('.find')) all.add(action.replace(/find$/, 'findDrafts'))
  }
  return { key: digest(JSON.stringify([...all].sort())), actions: all }
}
