import type { Grant } from '../../engine/schema/grant.js'
import { digest } from './texts.js'

/**
 * `roles`: `findDrafts` is an action of its own. `tokens`, or with `api.rest.publicDrafts`: `find` gives it
 * (docs/decisions.md, "Drafts are not public").
 */
export type DraftRule = 'by-action' | 'with-find'

/** A grant of exactly these actions; its key is the same for the same actions, in whatever order they come. */
export function compileGrant(actions: Iterable<string>, drafts: DraftRule): Grant {
  const all = new Set(actions)
  if (drafts === 'with-find') {
    for (const action of [...all])
      if (action.endsWith('.find')) all.add(action.replace(/find$/, 'findDrafts'))
  }
  return { key: digest(JSON.stringify([...all].sort())), actions: all }
}
