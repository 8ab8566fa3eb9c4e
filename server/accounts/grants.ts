import type { Grant } from '../../engine/schema/grant.js'
import { digest } from './texts.js'

/**
 * Which actions permit reading drafts: only `findDrafts` (`by-action`), or `find` too (`with-find`). Roles use the
 * first, tokens the second (docs/internals/decisions.md, "Drafts are not public"). `api.rest.publicDrafts` makes roles
 * use `with-find`.
 */
export type DraftRule = 'by-action' | 'with-find'

/** Compiles a grant. Its key does not depend on the order of the actions. */
export function compileGrant(actions: Iterable<string>, drafts: DraftRule): Grant {
  const all = new Set(actions)
  if (drafts === 'with-find') {
    for (const action of [...all])
      if (action.endsWith('.find')) all.add(action.replace(/find$/, 'findDrafts'))
  }
  return { key: digest(JSON.stringify([...all].sort())), actions: all }
}
