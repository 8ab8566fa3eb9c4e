/** What transactions meet at that decide about one thing (docs/storage.md, "One by one, or together"). */
export const claims = '_claims'
/** Where writes say what they are about to touch (docs/storage.md, "Where a repair looks"). */
export const underway = '_underway'
