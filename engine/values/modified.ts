import type { Fields } from './stored-types.js'

/**
 * Field of a draft: true if the draft may be modified (docs/storage.md, "Modified drafts"); otherwise absent or null.
 */
export const modifiedField = '_modified'

/**
 * Whether the draft may differ from a published version after the draft is written again. That is possible if a
 * published version was read, or if a publish of the draft may still be in progress.
 * @param draft as it was read; undefined if there was none
 */
export function mayBeShown(draft: Fields | undefined, published: Fields | undefined): boolean {
  return published !== undefined || (draft !== undefined && isPublishing(draft))
}

/** Whether a publish of the draft has begun, and was not withdrawn since. */
function isPublishing(draft: Fields): boolean {
  return Number(draft['_publishing'] ?? 0) > Number(draft['_unpublishedFrom'] ?? 0)
}

/** Whether a draft has the mark. Only the value true is indexed. */
export const isMarked = (draft: Fields): boolean => draft[modifiedField] === true

/**
 * Returns the fields to set in a draft to add the mark, or to remove one that it has.
 * @param before the draft as it was read
 */
export function markOf(before: Fields | undefined, isMarkedNow: boolean): Fields {
  if (isMarkedNow) return { [modifiedField]: true }
  return before !== undefined && isMarked(before) ? { [modifiedField]: null } : {}
}

/** Returns the fields of a draft without the mark. */
export function withoutMark(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([field]) => field !== modifiedField))
}
