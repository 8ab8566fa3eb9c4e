import type { SaveRequest } from './resolve-change.js'

/**
 * Whether a save may change nothing but the versions of its own document. For that it names no relation from the
 * inverse side, its type takes no targets from others, and it has no condition. The rest depends on the versions.
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
