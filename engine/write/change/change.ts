import type { OwningAttribute, RelationAttribute } from '../../schema/attribute.js'
import type { ContentType } from '../../schema/content-type.js'
import type { ReferencePlaces } from '../../values/references.js'
import type { Fields, Reference } from '../../values/stored-types.js'
import type { UniqueList } from '../../values/unique-list.js'

/** All decisions about one write of one document. `planSave` turns them into storage steps. */
export type Change = Readonly<{
  /**
   * The content-type with all attributes that the stored document may contain, including those that only another
   * version of the definition has (`whole-types.ts`).
   */
  type: ContentType
  documentId: string
  locale: string | null
  /** The draft, or the only version, as read. Undefined if this write creates it. */
  before: Version | undefined
  /**
   * Whether this write creates the document, so that the document has no other locales. Always false for single types,
   * because another write can add a locale at the same time.
   */
  alone: boolean
  /**
   * Set if the document has no other locale, and no other write can add one during this write. Undefined if that is not
   * known.
   */
  lone?: true | undefined
  /**
   * Set if all other writes and deletes of the document wait until this write has finished. Undefined if that is not
   * known.
   */
  undisturbed?: true | undefined
  /** Whether the write also publishes. Always false for types without draft & publish. */
  publish: boolean
  /**
   * Whether the write fails if the version that `If-Match` refers to has changed since it was read
   * (docs/internals/decisions.md, "Conditional writes").
   */
  conditional: boolean
  /** Fields that this write sets in the draft or only version. */
  values: Fields
  /** All attributes of the draft or only version as they are after the write. */
  content: Fields
  /**
   * Stamps of the draft or only version after the write, by stored name. A stamp is the time at which a value was last
   * written.
   */
  stamps: Readonly<Record<string, number>>
  /** Stored names of all attributes that the locales of the document share. */
  common: readonly string[]
  /** Stored names of the shared attributes that this write changes in the draft or only version. */
  shared: readonly string[]
  inverse: readonly InverseChange[]
  takeOvers: readonly TakenTargets[]
  /**
   * Edits of inverse relations. They are stored in the draft until a publish has applied them to the published entries
   * on the owning side.
   */
  pending: readonly PendingEdge[]
  /** Whether this write applies or reverts the pending edits. If so, they are deleted at the end of the write. */
  settles: boolean
  /** Says where versions of the type may contain references. */
  places: ReferencePlaces
  /**
   * Unique values in components of the published or only version. Undefined if the version has none, or if only a draft
   * is written.
   */
  uniques?: UniqueList | undefined
  actor: string | null
  /** In milliseconds since 1970. */
  now: number
  /**
   * `order` of references that are connected at the end of a list. It is `now` plus a fraction that differs between
   * processes.
   */
  connectedAt: number
}>

/**
 * Changes of the owners of a relation (the entries that store it), for a write that edits the relation from its inverse
 * side.
 */
export type InverseChange = Readonly<{
  owner: ContentType
  /** The attribute of the owners that stores the relation. */
  attribute: OwningAttribute
  locale: string | null
  drafts: OwnerChange
  /** Undefined if the owners' type has no draft & publish. */
  published: OwnerChange | undefined
}>

/** Entries that refer to a document through a relation that they own, in the order of the document's inverse list. */
export type Owners = readonly Readonly<{ documentId: string; order: number }>[]

/** Returns the `order` of each owner in the inverse list, by documentId. */
export const ordersOf = (owners: Owners): ReadonlyMap<string, number> =>
  new Map(owners.map(({ documentId, order }) => [documentId, order]))

/** Changes of the entries that own a relation (owners): either of their drafts, or of their published versions. */
export type OwnerChange = Readonly<{
  /** `order` of each owner in the document's inverse list after the write, by documentId. */
  orders: ReadonlyMap<string, number>
  /** documentIds of new owners, and of owners whose `order` changes. */
  moved: ReadonlySet<string>
  /** documentIds of entries that stop being owners. */
  removed: readonly string[]
  /**
   * Previous orders of moved owners that the body does not mention, by documentId. Their order changes because the list
   * was renumbered for lack of room between two orders, or because an earlier edit is published. An entry that is no
   * longer an owner when it is written stays unchanged.
   */
  renumbered?: ReadonlyMap<string, number>
  /**
   * Set to give owners back a reference that an earlier edit removed. Owners that now refer to another document stay
   * unchanged.
   */
  restores?: true
}>

/** Targets of an exclusive relation that are removed from their previous owners. */
export type TakenTargets = Readonly<{
  attribute: RelationAttribute
  /** Targets that the draft or only version did not have before this write. */
  targets: readonly Reference[]
  /**
   * All targets of the draft or only version. A publish also removes them from other published entries that still have
   * them.
   */
  all: readonly Reference[]
}>

/**
 * An edit of an inverse relation that a draft write has made in the draft of an owner (the entry that stores the
 * relation), but not yet in the published owner. Publishing this document applies the edit there. The draft stores all
 * such edits as `_pending`, one for each owner.
 */
export type PendingEdge = Readonly<{
  /** uid of the owners' type. */
  owner: string
  /** Stored name of the owner's attribute that contains the reference. */
  field: string
  /** Locale of the owner. */
  locale: string | null
  documentId: string
  /** `order` of the owner in the document's inverse list. Null if the edit removed the reference. */
  order: number | null
  /**
   * Set if the body did not mention the owner and only its order changed. Publishing then never makes the entry an
   * owner again.
   */
  renumbered?: true
}>

/** One stored version of a document, as read: its draft or published version in one locale. */
export type Version = Fields &
  Readonly<{
    _id: number
    documentId: string
    locale: string | null
    createdAt: Date
    updatedAt: Date
    publishedAt: Date | null
    _revision: number
    /**
     * When each shared attribute or relation was last written, by stored name. Of two values, the one with the later
     * stamp wins.
     */
    _stamps?: Readonly<Record<string, number>>
    /** Only in drafts: edits of inverse relations that were not yet applied to the published owners. */
    _pending?: readonly PendingEdge[]
    /** Only in drafts: revision of a publish that has begun, but has not yet applied the pending edits. */
    _settling?: number | null
  }>

/** All versions of one document. */
export type Versions = Readonly<{
  /**
   * The version of each locale that decides whether the document exists there: the draft, or the only version for types
   * without draft & publish.
   */
  current: readonly Version[]
  /** Published versions. Empty for types without draft & publish. */
  published: readonly Version[]
}>

export function versionIn(
  versions: readonly Version[],
  locale: string | null,
): Version | undefined {
  return versions.find((version) => version.locale === locale)
}

/** Returns the stored value of a relation or media field as a list of references. */
export function referencesIn(value: unknown): readonly Reference[] {
  if (Array.isArray(value)) return value as readonly Reference[]
  return value === null || value === undefined ? [] : [value as Reference]
}
