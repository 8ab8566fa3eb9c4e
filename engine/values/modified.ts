import type { Fields } from './stored-types.js'

/** Of a draft: true where it may be modified (docs/storage.md, "Modified drafts"); else absent or null. */
export const modifiedField = '_modified'

/**
 * Whether a published version may be there that is older than its draft, once the draft is written anew: one was seen,
 * or a publish of the draft may still be under way.
 * @param draft as it was read; undefined = there was none
 */
export function mayBeShown(draft: Fields | undefined, published: Fields | undefined): boolean {
  return published !== undefined || (draft !== undefined && isPublishing(draft))
}

/** Whether the last that is known of a draft is that its publish was begun, and not that it was withdrawn since. */
function isPublishing(draft: Fields): boolean {
  return Number(draft['_publishing'] ?? 0) > Number(draft['_unpublishedFrom'] ?? 0)
}

/** Whether a draft is marked, in the form in which the mark is indexed. */
export const isMarked = (draft: Fields): boolean => draft[modifiedField] === true

/**
 * What is set in a draft that gets the mark, or loses one that it has.
 * @param before the draft as it was read
 */
export function markOf(before: Fields | undefined, isMarkedNow: boolean): Fields {
  if (isMarkedNow) return { [modifiedField]: true }
  return before !== undefined && isMarked(before) ? { [modifiedField]: null } : {}
}

/** Fields of a draft but the mark. */
export function withoutMark(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([field]) => field !== modifiedField))
}
