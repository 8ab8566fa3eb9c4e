/**
 * Transactions that decide about the same thing must conflict. For this purpose, they write the same document of this
 * collection (docs/internals/storage.md, "Transactions").
 */
export const claims = '_claims'
/** Log of what in-flight writes are about to change (docs/internals/storage.md, "Records of writes in flight"). */
export const journalCollection = '_underway'
