/**
 * Documents on which transactions conflict that decide about the same thing (docs/storage.md, "One by one, or
 * together").
 */
export const claims = '_claims'
/** Log of in-flight writes: what they are about to change (docs/storage.md, "Where a repair looks"). */
export const journalCollection = '_underway'
