import type { ReferencePlaces } from '../../values/references.js'
import type { Fields } from '../../values/stored-types.js'
import type { UniqueList } from '../../values/unique-list.js'

/**
 * The steps of a create, update or publish request, in the order of docs/internals/storage.md, "The rules of writing".
 */
export type SavePlan = Readonly<{
  documentId: string
  locale: string | null
  /** New revision of the draft or only version. */
  revision: number
  /** Exclusive relations whose new targets have to be removed from their previous owners. */
  releases: readonly TargetRemoval[]
  /** Whether the draft or only version must be unchanged since it was read (`If-Match`). */
  conditional?: true | undefined
  undisturbed?: true | undefined
  main: MainWrite
  publication: Publication | null
  shared: readonly SharedWrite[]
  /** Whether a unique index could reject the shared values, so that the values they replace must be restorable. */
  sharedUnique: boolean
  /** Whether the write adds a locale to a document that may have other locales. */
  joins?: true | undefined
  /**
   * For a new locale: the collections in which shared values are copied once more, after the new version was written.
   */
  merges: readonly Merge[]
  owners: readonly OwnerWrite[]
  /** Whether to delete the pending edits at the end. */
  settles: boolean
  /** Stored names of generated uids. If a unique index rejects one, the save is retried with another. */
  generated?: readonly string[] | undefined
  /** Keys to `claim`, for values that must be unique but have no unique index. */
  claims?: readonly string[] | undefined
  places: ReferencePlaces
  /** Milliseconds since 1970. */
  now: number
}>

/**
 * A collection in which a new locale copies shared values (`fields`) from other locales. For `uniques`, see
 * `SharedWrite`.
 */
export type Merge = Readonly<{
  collection: string
  fields: readonly string[]
  uniques?: UniqueList | undefined
}>

/** Writes the draft or only version. */
export type MainWrite = Readonly<
  | { kind: 'insert'; collection: string; id: number; document: Fields }
  | {
      kind: 'update'
      collection: string
      id: number
      /** Revision as read. If the stored one differs, nothing is changed. */
      ifRevision: number
      set: Fields
      /** The version as read, which is restored if a unique index rejects a later step. */
      previous: Fields
    }
>

/** Writes the published version. */
export type Publication = Readonly<{
  collection: string
  releases: readonly TargetRemoval[]
  /** The published version as read, which is restored if a unique index rejects shared values in another locale. */
  previous: Fields | null
  /** A new id if there is no published version yet. */
  id: number
  fields: Fields
  /** By stored name: the latest known stamp of each attribute that writes of other versions may change. */
  stamps: Readonly<Record<string, number>>
  /** Attributes that writes of other versions may change, so that a stored value with a later stamp is kept. */
  guarded: readonly string[]
  /** Unique values in the version's components. */
  uniques?: UniqueList | undefined
  /** The fields to write if the version is unchanged since it was read. Null = always write all fields. */
  difference: Fields | null
  /** Whether the published version must be unchanged since it was read (`If-Match`). */
  conditional: boolean
}>

/**
 * Removes targets of an exclusive relation from all other owners. If two owners connect the same target concurrently,
 * the one with the higher `order` keeps it; with equal orders, the one with the higher documentId.
 */
export type TargetRemoval = Readonly<{
  collection: string
  field: string
  many: boolean
  /** Set if owners are found by the index on `_refs`, because the relation has no index of its own. */
  listed?: true | undefined
  targets: readonly Readonly<{ documentId: string; order: number }>[]
  locale: string | null
  /** documentId of the new owner, which keeps the targets. */
  except: string
}>

/** Shared values for all other locales of the document. Each only replaces values with an earlier stamp. */
export type SharedWrite = Readonly<{
  collection: string
  values: Fields
  stamps: Readonly<Record<string, number>>
  /** Unique values in the version's components, if the collection lists them. */
  uniques?: UniqueList | undefined
}>

/**
 * A progress record: what a write is about to change, for a repair if the write is interrupted
 * (docs/internals/storage.md, "Records of writes in flight").
 */
export type AffectedData = Readonly<{
  uid: string
  documentId: string
  /** Targets that are about to be connected in exclusive relations with many targets. */
  lists: readonly ListTargets[]
  /** A locale that is about to be deleted. Interrupted writes may leave versions in it. */
  locale?: string
  /** Set if the document is about to be deleted, so that references to it have to be removed. */
  deleted?: true
}>

/** Targets of an exclusive relation, whose owners list them in `field`. */
export type ListTargets = Readonly<{
  collection: string
  field: string
  targets: readonly string[]
}>

/** Adds one reference to an owner, or removes it. */
export type OwnerWrite = Readonly<{
  collection: string
  documentId: string
  locale: string | null
  field: string
  many: boolean
  /** The document from which the inverse relation is edited. */
  target: string
  /** uid of the target's type in polymorphic relations. */
  type?: string | undefined
  /** The owner's `order` in the target's inverse list. Null = remove the reference. */
  order: number | null
  listed?: true | undefined
  exclusive: boolean
  /** Whether to do nothing if the owner refers to another document. */
  ifFree: boolean
  /** Whether to do nothing if the owner no longer refers to the target. */
  ifThere?: true | undefined
}>
