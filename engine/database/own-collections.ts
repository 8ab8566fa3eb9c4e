/**
 * Collection of documents that make transactions conflict if they decide about the same thing (docs/storage.md, "One by
 * one, or together").
 */
export const claims = '_claims'
/**
 * Collection of the in-flight log: the data that in-flight writes are about to change (docs/storage.md, "Where a repair
 * looks").
 */
export const journalCollection = '_underway'
