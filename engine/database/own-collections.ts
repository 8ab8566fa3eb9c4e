/**
 * Collection whose documents make transactions conflict. Two transactions that decide about the same thing write the
 * same document, so one of them is retried (docs/internals/storage.md, "Transactions").
 */
export const claims = '_claims'
/**
 * Collection of the in-flight log. It records which data a write is about to change, for repairs after a crash
 * (docs/internals/storage.md, "Records of writes in flight").
 */
export const journalCollection = '_underway'
