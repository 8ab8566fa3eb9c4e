/**
 * One end of a relation or a media field, as its owner stores it (docs/storage.md, "Relations"); `order`
 * is its place in the inverse list.
 */
export type Reference = Readonly<{ documentId: string; order: number }>

/** One of a polymorphic relation: `__type` is the uid of what it refers to. */
export type TypedReference = Reference & Readonly<{ __type: string }>

/** Fields of a stored document by stored name; values are those of BSON. */
export type Fields = Readonly<Record<string, unknown>>

/** Which version of all in a collection: there is one of a document in a locale, null where it has none. */
export type VersionKey = Readonly<{ documentId: string; locale: string | null }>

/** The same as a key of a map. */
export function versionKeyText({ documentId, locale }: VersionKey): string {
  return `${documentId} ${locale ?? ''}`
}
