/** What transactions meet at that decide about one thing (docs/storage.md, "One by one, or together"). */
export const claims = '_claims'
