/**
 * A reference of a relation or a media field, as its owner stores it (docs/storage.md, "Relations"). `order` is its
 * position in the inverse list.
 */
export type Reference = Readonly<{ documentId: string; order: number }>

/** A reference of a polymorphic relation. `__type` is the uid of the target's type. */
export type TypedReference = Reference & Readonly<{ __type: string }>

/** Fields of a stored document by stored name. The values are BSON values. */
export type Fields = Readonly<Record<string, unknown>>

/** Identifies a version within its collection: a document has one per locale, or a single one with null. */
export type VersionKey = Readonly<{ documentId: string; locale: string | null }>

/** Returns a version key as a text, for maps. */
export function versionKeyText({ documentId, locale }: VersionKey): string {
  return `${documentId} ${locale ?? ''}`
}
