import type { Fields } from './stored-types.js'

/**
 * Field that is true if the draft may differ from its published version, otherwise absent or null
 * (docs/internals/storage.md, "Modified drafts").
 */
export const modifiedField = '_modified'

/**
 * Whether the draft may differ from its published version after a write. The published version is `published`, or a
 * publish in progress will write it.
 * @param draft the draft as read before the write
 */
export function mayDifferFromPublished(
  draft: Fields | undefined,
  published: Fields | undefined,
): boolean {
  return published !== undefined || (draft !== undefined && isPublishing(draft))
}

/** Whether a publish has begun that no later unpublish has revoked. */
function isPublishing(draft: Fields): boolean {
  return Number(draft['_publishing'] ?? 0) > Number(draft['_unpublishedFrom'] ?? 0)
}

/** Only `true` counts, because the index contains no other value. */
export const isMarked = (draft: Fields): boolean => draft[modifiedField] === true

/** Returns the fields that add or remove a draft's `_modified` mark. `before` is the draft as read. */
export function markOf(before: Fields | undefined, isMarkedNow: boolean): Fields {
  if (isMarkedNow) return { [modifiedField]: true }
  return before !== undefined && isMarked(before) ? { [modifiedField]: null } : {}
}

/** Removes the `_modified` mark from a draft's fields. */
export function withoutMark(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([field]) => field !== modifiedField))
}
