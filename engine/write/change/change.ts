import type { OwningAttribute, RelationAttribute } from '../../schema/attribute.js'
import type { ContentType } from '../../schema/content-type.js'
import type { ReferencePlaces } from '../../values/references.js'
import type { Fields, Reference } from '../../values/stored-types.js'
import type { UniqueList } from '../../values/unique-list.js'

/** All decisions about one write of one document, which `planSave` turns into storage steps. */
export type Change = Readonly<{
  /** Includes attributes that stored documents may have from another version of the definition (`whole-types.ts`). */
  type: ContentType
  documentId: string
  locale: string | null
  /** The draft, or the only version, as read. Undefined if this write creates it. */
  before: Version | undefined
  /** Whether this write creates the document. False for single types, because a concurrent write can add a locale. */
  createsDocument: boolean
  /** Set if no other locale exists or can be added during this write. Undefined if unknown. */
  hasOneLocale?: true | undefined
  /** Set if all other writes and deletes of the document wait for this write. Undefined if unknown. */
  undisturbed?: true | undefined
  /** False for types without draft & publish. */
  publish: boolean
  /**
   * Whether the write fails if the version that `If-Match` refers to has changed since it was read
   * (docs/internals/decisions.md, "Conditional writes").
   */
  conditional: boolean
  values: Fields
  /** All attributes of the draft or only version after the write. */
  content: Fields
  /** By stored name: when each value of the draft or only version was last written. */
  stamps: Readonly<Record<string, number>>
  /** Stored names of all attributes that the locales share. */
  common: readonly string[]
  /** Stored names of the shared attributes that this write changes. */
  shared: readonly string[]
  inverse: readonly InverseChange[]
  takeOvers: readonly TakenTargets[]
  /** Edits of inverse relations that the draft stores until a publish has applied them on the owning side. */
  pending: readonly PendingEdge[]
  /** Whether this write applies or reverts the pending edits, so that they are deleted at its end. */
  settles: boolean
  places: ReferencePlaces
  /** Unique values in components of the published or only version, if this write changes that version. */
  uniques?: UniqueList | undefined
  actor: string | null
  /** Milliseconds since 1970. */
  now: number
  /** `order` of references connected at the end of a list: `now` plus a fraction that differs between processes. */
  connectedAt: number
}>

/** A relation as its owners (the entries of this type that store it) have it in one locale. */
export type OwningRelation = Readonly<{
  owner: ContentType
  attribute: OwningAttribute
  locale: string | null
}>

/** How an edit of a relation from its inverse side changes the owners. */
export type InverseChange = OwningRelation &
  Readonly<{
    drafts: OwnerChange
    /** Undefined without draft & publish. */
    published: OwnerChange | undefined
  }>

/** Entries that store a relation to a document, in the order of the document's inverse list. */
export type Owners = readonly Readonly<{ documentId: string; order: number }>[]

/** Returns the owners' orders by documentId. */
export const ordersOf = (owners: Owners): ReadonlyMap<string, number> =>
  new Map(owners.map(({ documentId, order }) => [documentId, order]))

/** Changes of either the drafts or the published versions of owners. */
export type OwnerChange = Readonly<{
  orders: ReadonlyMap<string, number>
  moved: ReadonlySet<string>
  removed: readonly string[]
  /**
   * By documentId: previous orders of owners that move although the body does not mention them, because the list is
   * renumbered or an earlier edit is published. Entries that have stopped being owners in the meantime do not become
   * owners again.
   */
  renumbered?: ReadonlyMap<string, number>
  /**
   * Set to restore references that an earlier edit removed. Owners that now refer to another document do not get theirs
   * back.
   */
  restores?: true
}>

/** Targets to remove from their previous owners in an exclusive relation. */
export type TakenTargets = Readonly<{
  attribute: RelationAttribute
  /** Targets that the draft or only version did not have before. */
  targets: readonly Reference[]
  /** All targets of the draft or only version. A publish removes them from other published entries as well. */
  all: readonly Reference[]
}>

/**
 * An edit of an inverse relation that has so far changed only the draft of an owner (the entry that stores the
 * relation), not its published version. The draft of the edited document stores these edits as `_pending`, one per
 * owner, until that draft is published.
 */
export type PendingEdge = Readonly<{
  owner: string
  /** Stored name of the owner's attribute. */
  field: string
  locale: string | null
  documentId: string
  /** The owner's `order` in the inverse list. Null if the edit removed the reference. */
  order: number | null
  /** Set if the body did not mention the owner, so that publishing never makes the entry an owner again. */
  renumbered?: true
}>

/** A draft or published version in one locale, as read. */
export type Version = Fields &
  Readonly<{
    _id: number
    documentId: string
    locale: string | null
    createdAt: Date
    updatedAt: Date
    publishedAt: Date | null
    _revision: number
    /** When each shared attribute or relation was last written, by stored name. The later value wins. */
    _stamps?: Readonly<Record<string, number>>
    /** Only in drafts: edits of inverse relations that published owners do not have yet. */
    _pending?: readonly PendingEdge[]
    /** Only in drafts: revision of a publish that has not yet applied the pending edits. */
    _settling?: number | null
  }>

/** All versions of one document. */
export type Versions = Readonly<{
  /**
   * In each locale, the version that decides whether the document exists: the draft or, without drafts, the only one.
   */
  current: readonly Version[]
  /** Empty for types without draft & publish. */
  published: readonly Version[]
}>

export function versionIn(
  versions: readonly Version[],
  locale: string | null,
): Version | undefined {
  return versions.find((version) => version.locale === locale)
}

/** Returns the references in the stored value of a relation or media field. */
export function referencesIn(value: unknown): readonly Reference[] {
  if (Array.isArray(value)) return value as readonly Reference[]
  return value === null || value === undefined ? [] : [value as Reference]
}
