/**
 * Collection whose documents make transactions conflict. Two transactions that decide about the same thing write the
 * same document, so one of them is retried (docs/storage.md, "One by one, or together").
 */
export const claims = '_claims'
/**
 * Collection of the in-flight log. It records which data a write is about to change, for repairs after a crash
 * (docs/storage.md, "Where a repair looks").
 */
export const journalCollection = '_underway'
