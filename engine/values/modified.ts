import type { Fields } from './stored-types.js'

/**
 * Field of a draft that marks it as modified. It is true if the draft may differ from its published version, and
 * otherwise absent or null (docs/internals/storage.md, "Modified drafts").
 */
export const modifiedField = '_modified'

/**
 * Whether the draft that is being written may differ from a published version. That is possible if a published version
 * was found, or if an earlier publish of the draft may still be in progress.
 * @param draft the draft as read before the write; undefined if there was none
 */
export function mayDifferFromPublished(
  draft: Fields | undefined,
  published: Fields | undefined,
): boolean {
  return published !== undefined || (draft !== undefined && isPublishing(draft))
}

/** Whether a publish of the draft has begun, and no later unpublish has revoked it. */
function isPublishing(draft: Fields): boolean {
  return Number(draft['_publishing'] ?? 0) > Number(draft['_unpublishedFrom'] ?? 0)
}

/**
 * Whether a draft is marked as modified. The mark counts only if it is `true`, because the index contains no other
 * value.
 */
export const isMarked = (draft: Fields): boolean => draft[modifiedField] === true

/**
 * Returns the fields to set in a draft so that its `_modified` mark is added or removed.
 * @param before the draft as it was read
 */
export function markOf(before: Fields | undefined, isMarkedNow: boolean): Fields {
  if (isMarkedNow) return { [modifiedField]: true }
  return before !== undefined && isMarked(before) ? { [modifiedField]: null } : {}
}

/** Returns a draft's fields without the `_modified` mark. */
export function withoutMark(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([field]) => field !== modifiedField))
}
