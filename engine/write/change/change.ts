import type { OwningAttribute, RelationAttribute } from '../../schema/attribute.js'
import type { ContentType } from '../../schema/content-type.js'
import type { ReferencePlaces } from '../../values/references.js'
import type { Fields, Reference } from '../../values/stored-types.js'
import type { UniqueList } from '../../values/unique-list.js'

/** All decisions of one write for one document, except how to store them. */
export type Change = Readonly<{
  /**
   * The type with all attributes that the document may have, including attributes of other definitions
   * (`whole-types.ts`).
   */
  type: ContentType
  documentId: string
  locale: string | null
  /** The draft, or the only version, as read; undefined if this write creates it. */
  before: Version | undefined
  /** Whether this write creates the document, so that it has no other locale. */
  alone: boolean
  /** Whether there is no other locale and no other write can create one; absent = unknown. */
  lone?: true | undefined
  /** Whether all other writes and deletes of the document wait until this write is done; absent = unknown. */
  undisturbed?: true | undefined
  /** Whether the write also publishes; false without draft & publish. */
  publish: boolean
  /**
   * Whether the write requires that the addressed version is unchanged since it was read (docs/decisions.md,
   * "Conditional writes").
   */
  conditional: boolean
  /** Fields that this write sets in the draft or only version. */
  values: Fields
  /** All attributes of that version after the write. */
  content: Fields
  /** Stamps of that version after the write, by stored name. */
  stamps: Readonly<Record<string, number>>
  /** Stored names of all attributes that the locales of the document share. */
  common: readonly string[]
  /** Stored names of the shared attributes that this write changes in the draft or only version. */
  shared: readonly string[]
  inverse: readonly InverseChange[]
  takeOvers: readonly TakeOver[]
  /** Edits of inverse relations. The draft keeps them until a publish has applied them to the published owners. */
  pending: readonly PendingEdge[]
  /** Whether this write applies or reverts the pending edits. They are deleted when it is done. */
  settles: boolean
  /** Places where versions of the type may refer to others. */
  places: ReferencePlaces
  /**
   * List of unique values of the published or only version; absent if that version has none, or if only the draft is
   * written.
   */
  uniques?: UniqueList | undefined
  actor: string | null
  /** Milliseconds. */
  now: number
  /** `now` with a fraction that differs between processes: the `order` of references that are connected at the end. */
  connectedAt: number
}>

/** Changes of the entries that own a relation which this write edits from its inverse side. */
export type InverseChange = Readonly<{
  owner: ContentType
  /** The attribute of the owner. */
  attribute: OwningAttribute
  locale: string | null
  drafts: OwnerChange
  /** Undefined if owners have one version. */
  published: OwnerChange | undefined
}>

/** Entries that own a relation to the document, in the order of its list. */
export type Owners = readonly Readonly<{ documentId: string; order: number }>[]

/** Returns the `order` of each owner in the document's list, by documentId. */
export const ordersOf = (owners: Owners): ReadonlyMap<string, number> =>
  new Map(owners.map(({ documentId, order }) => [documentId, order]))

/** Changes of the owners of one status. */
export type OwnerChange = Readonly<{
  /** Orders of all owners in this document's list after the write, by documentId. */
  orders: ReadonlyMap<string, number>
  /** New owners, and owners with another order. */
  moved: ReadonlySet<string>
  /** documentIds of owners that are removed. */
  removed: readonly string[]
  /**
   * Moved owners that the body does not name, with their previous orders. They move because the list was renumbered for
   * lack of room between two orders, or because an earlier edit is published. The write only moves entries that still
   * are owners; it never makes them owners.
   */
  renumbered?: ReadonlyMap<string, number>
  /** Whether owners only get the reference back if they refer to no other document by now. */
  restores?: true
}>

/** Targets that an exclusive relation takes from their owners. */
export type TakeOver = Readonly<{
  attribute: RelationAttribute
  /** New targets of the draft or only version. */
  targets: readonly Reference[]
  /** All targets of the draft or only version. When they are published, other published entries may still have them. */
  all: readonly Reference[]
}>

/**
 * An edit of an inverse relation that a draft write made in its owners' drafts. The published owners get it when this
 * document is published. The draft stores these edits as `_pending`, one for each owner.
 */
export type PendingEdge = Readonly<{
  /** uid of the owners' type. */
  owner: string
  /** Stored name of the owner's attribute. */
  field: string
  /** Locale of the owner. */
  locale: string | null
  documentId: string
  /** Order of the owner in this document's list; null = removed. */
  order: number | null
  /** The body does not name the entry. It is moved if it is an owner, but never made one. */
  renumbered?: true
}>

/** A stored entry version as read: of one document, locale and status. */
export type Version = Fields &
  Readonly<{
    _id: number
    documentId: string
    locale: string | null
    createdAt: Date
    updatedAt: Date
    publishedAt: Date | null
    _revision: number
    /** By stored name: when an attribute was last written from another version. */
    _stamps?: Readonly<Record<string, number>>
    /** Of a draft: edits of its inverse relations that the published owners do not have yet. */
    _pending?: readonly PendingEdge[]
    /** Of a draft: the revision whose publish has yet to apply the pending edits to the published owners. */
    _settling?: number | null
  }>

/** All versions of one document. */
export type Versions = Readonly<{
  /**
   * One per locale: the draft, or the only version without draft & publish. They decide whether the document exists.
   */
  current: readonly Version[]
  /** The published versions; empty without draft & publish. */
  published: readonly Version[]
}>

export function versionIn(
  versions: readonly Version[],
  locale: string | null,
): Version | undefined {
  return versions.find((version) => version.locale === locale)
}

/** Returns the references in a field of a relation or of media as a list. */
export function referencesIn(value: unknown): readonly Reference[] {
  if (Array.isArray(value)) return value as readonly Reference[]
  return value === null || value === undefined ? [] : [value as Reference]
}
