/**
 * A reference in a relation or media field, as the owning side stores it (docs/internals/storage.md, "Relations"). `order` is the
 * owner's position in the list on the inverse side.
 */
export type Reference = Readonly<{ documentId: string; order: number }>

/** A reference in a polymorphic relation. `__type` is the uid of the target's type. */
export type TypedReference = Reference & Readonly<{ __type: string }>

/** Fields of a stored document, by stored name. All values are BSON values. */
export type Fields = Readonly<Record<string, unknown>>

/**
 * Identifies a version within its collection. A localized document has one version per locale; any other document has a
 * single version, with locale null.
 */
export type VersionKey = Readonly<{ documentId: string; locale: string | null }>

/** Returns a version key as text, for use as a map key. */
export function versionKeyText({ documentId, locale }: VersionKey): string {
  return `${documentId} ${locale ?? ''}`
}
