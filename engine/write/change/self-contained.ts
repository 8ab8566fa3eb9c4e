import type { SaveRequest } from './resolve-change.js'

/**
 * Whether a save may change nothing but the versions of its own document: it names no relation from the
 * side that does not store it, its type takes no target from others, and it may be done beside any publish. What the
 * versions say of it is found when they are read.
 */
export function mayBeSelfContained({
  type,
  body,
  ifRevision,
}: Pick<SaveRequest, 'type' | 'body' | 'ifRevision'>): boolean {
  if (ifRevision !== undefined) return false
  for (const attribute of type.attributes.values()) {
    if (attribute.type !== 'relation') continue
    if (attribute.owner ? attribute.exclusive : Object.hasOwn(body, attribute.name)) return false
  }
  return true
}
