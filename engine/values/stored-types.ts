/**
 * A reference as the owning side stores it (docs/internals/storage.md, "Relations"). `order` is the owner's position in
 * the list on the inverse side.
 */
export type Reference = Readonly<{ documentId: string; order: number }>

/** A polymorphic reference. `__type` is the uid of the target's type. */
export type TypedReference = Reference & Readonly<{ __type: string }>

/** BSON values by stored name. */
export type Fields = Readonly<Record<string, unknown>>

/** Identifies a version in its collection. Documents that are not localized have one version, with locale null. */
export type VersionKey = Readonly<{ documentId: string; locale: string | null }>

/** Returns a version key as the key of a map. */
export function versionKeyText({ documentId, locale }: VersionKey): string {
  return `${documentId} ${locale ?? ''}`
}
