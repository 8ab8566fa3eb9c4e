/**
 * One end of a relation or a media field, as its owner stores it (docs/storage.md, "Relations"); `order`
 * is its place in the inverse list.
 */
export type Reference = Readonly<{ documentId: string; order: number }>
