/** Where writes say what they are about to touch (docs/storage.md, "Where a repair looks"). */
export const underway = '_underway'
