import type { Fields } from '../values/fields.js'
import type { Reference } from '../values/reference.js'

/**
 * An edit of an inverse relation that a draft write made in its owners' drafts, and that the published
 * owners get when this document is published. Kept with the draft as `_pending`, one for each owner.
 */
export type PendingEdge = Readonly<{
  /** uid of the owners' type. */
  owner: string
  /** Stored name of the owner's attribute. */
  field: string
  /** Of the owner. */
  locale: string | null
  documentId: string
  /** Its place in this document's list; null = taken out. */
  order: number | null
}>

/** A stored entry version as it was read: of one document, locale and status. */
export type Version = Fields &
  Readonly<{
    _id: number
    documentId: string
    locale: string | null
    createdAt: Date
    updatedAt: Date
    publishedAt: Date | null
    _revision: number
    /** By stored name: when an attribute was last written from another version's side. */
    _stamps?: Readonly<Record<string, number>>
    /** Of a draft: edits of its inverse relations that the published owners do not have yet. */
    _pending?: readonly PendingEdge[]
    /** Of a draft: the revision whose publish was to give them to the published owners, while it is not done. */
    _settling?: number | null
  }>

/** All versions of one document. */
export type Versions = Readonly<{
  /** One per locale: the draft, or the only version where draft & publish is off. The authority. */
  current: readonly Version[]
  /** The published ones; empty where draft & publish is off. */
  published: readonly Version[]
}>

export function versionIn(
  versions: readonly Version[],
  locale: string | null,
): Version | undefined {
  return versions.find((version) => version.locale === locale)
}

/** The references in a field of a relation or of media, whichever form it has. */
export function referencesIn(value: unknown): readonly Reference[] {
  if (Array.isArray(value)) return value as readonly Reference[]
  return value === null || value === undefined ? [] : [value as Reference]
}
