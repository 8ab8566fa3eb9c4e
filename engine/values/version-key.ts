/** Which version of all in a collection: there is one of a document in a locale, null where it has none. */
export type VersionKey = Readonly<{ documentId: string; locale: string | null }>

/** The same as a key of a map. */
export function versionKeyText({ documentId, locale }: VersionKey): string {
  return `${documentId} ${locale ?? ''}`
}
