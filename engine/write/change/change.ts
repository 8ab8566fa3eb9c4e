import type { OwningAttribute, RelationAttribute } from '../../schema/attribute.js'
import type { ContentType } from '../../schema/content-type.js'
import type { ReferencePlaces } from '../../values/references.js'
import type { Fields, Reference } from '../../values/stored-types.js'
import type { UniqueList } from '../../values/unique-list.js'

/** What one write means for one document, with everything decided but how to store it. */
export type Change = Readonly<{
  /** With every attribute that the document may hold, those of other definitions too (`whole-types.ts`). */
  type: ContentType
  documentId: string
  locale: string | null
  /** The draft, or the only version, as read; undefined where this write makes it. */
  before: Version | undefined
  /** Whether the document is made by this write, so that no other locale of it can exist. */
  alone: boolean
  /** Whether there is no other locale and nobody can be making one; absent = it is not known. */
  lone?: true | undefined
  /** Whether whoever else writes the document, or deletes it, waits until this write is done; absent = it is not known. */
  undisturbed?: true | undefined
  /** Whether the published version follows; false where draft & publish is off. */
  publish: boolean
  /**
   * Whether it is only to be done while the version that it addresses is as it was read (docs/decisions.md,
   * "Conditional writes").
   */
  conditional: boolean
  /** Of the attributes: what this write sets in the draft or the only version. */
  values: Fields
  /** Of the attributes: all that this version holds afterwards. */
  content: Fields
  /** Of that version afterwards, by stored name. */
  stamps: Readonly<Record<string, number>>
  /** Stored names of all attributes that the locales of the document have in common. */
  common: readonly string[]
  /** Those of them that this write changes in the draft or only version. */
  shared: readonly string[]
  inverse: readonly InverseChange[]
  takeOvers: readonly TakeOver[]
  /** Edits of inverse relations that are kept with the draft until a publish has given them to the published owners. */
  pending: readonly PendingEdge[]
  /** Whether this write does so, or takes them back: they are forgotten when it is done. */
  settles: boolean
  /** Where versions of the type may refer to others. */
  places: ReferencePlaces
  /** What the published or only version is to list; absent: it lists nothing, or only the draft is written. */
  uniques?: UniqueList | undefined
  actor: string | null
  /** Milliseconds. */
  now: number
  /** The same with a fraction of its own: the `order` of what is connected at the end. */
  connectedAt: number
}>

/** What becomes of the entries that own a relation which this write names from its other side. */
export type InverseChange = Readonly<{
  owner: ContentType
  /** The attribute of the owner. */
  attribute: OwningAttribute
  locale: string | null
  drafts: OwnerChange
  /** Undefined where owners have one version. */
  published: OwnerChange | undefined
}>

/** Entries that own a relation to the document at hand, in the order of its list. */
export type Owners = readonly Readonly<{ documentId: string; order: number }>[]

/** Their places in that list, by documentId. */
export const ordersOf = (owners: Owners): ReadonlyMap<string, number> =>
  new Map(owners.map(({ documentId, order }) => [documentId, order]))

/** What becomes of the owners of one status. */
export type OwnerChange = Readonly<{
  /** documentIds of all owners afterwards, with their place in this document's list. */
  orders: ReadonlyMap<string, number>
  /** Those of them that are new or were moved. */
  moved: ReadonlySet<string>
  /** Those that are owners no longer. */
  removed: readonly string[]
  /**
   * Of the moved those that the body does not name, with the places that they had: there was no room in the list, or
   * an earlier edit is handed on. They are moved where they are owners by then, and made owners nowhere.
   */
  renumbered?: ReadonlyMap<string, number>
  /** Whether only those get the reference back that refer to nobody else by now. */
  restores?: true
}>

/** Targets that an exclusive relation takes from whoever has them. */
export type TakeOver = Readonly<{
  attribute: RelationAttribute
  /** Those that are new in the draft or only version. */
  targets: readonly Reference[]
  /** All that it holds: where they are published, they may still be somebody else's. */
  all: readonly Reference[]
}>

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
  /** Nobody named it: it has another place, and is an owner only where it is one. */
  renumbered?: true
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
