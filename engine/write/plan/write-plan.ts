import type { ReferencePlaces } from '../../values/references.js'
import type { Fields } from '../../values/stored-types.js'
import type { UniqueList } from '../../values/unique-list.js'

/** The steps of a create, update or publish as plain data, in the order of docs/internals/storage.md, "The rules of writing". */
export type SavePlan = Readonly<{
  documentId: string
  locale: string | null
  /** New revision of the draft or only version. */
  revision: number
  /**
   * Exclusive relations of the draft or only version whose new targets have to be removed from their previous owners.
   */
  releases: readonly TargetRemoval[]
  /** Whether the write requires that the version is unchanged since it was read (`If-Match`); undefined = no. */
  conditional?: true | undefined
  /** See `Change`. */
  undisturbed?: true | undefined
  main: MainWrite
  publication: Publication | null
  /** Values of shared attributes to write to the other locales. */
  shared: readonly SharedWrite[]
  /**
   * Whether a unique index could reject the shared values. If so, the values that they replace are read first, so that
   * they can be restored.
   */
  sharedUnique: boolean
  /** Whether the write adds a locale to a document that may already have others; undefined = no. */
  joins?: true | undefined
  /**
   * For a new locale: collections in which shared values of the other locales are copied once more after the new
   * version was written.
   */
  merges: readonly Merge[]
  /** Changes of the entries on the owning side of relations that this write edits from the inverse side. */
  owners: readonly OwnerWrite[]
  /** Whether the pending edits of inverse relations are deleted at the end. */
  settles: boolean
  /**
   * Stored names of the attributes with a generated uid; undefined = none. If a unique index rejects a generated uid,
   * the save is retried with another one.
   */
  generated?: readonly string[] | undefined
  /**
   * Additional keys to claim (see `claim`), for values that must be unique but have no unique index; undefined = none.
   */
  claims?: readonly string[] | undefined
  /** Says where versions of the document may contain references. */
  places: ReferencePlaces
  /** In milliseconds since 1970. */
  now: number
}>

/**
 * A collection in which a new locale copies shared values (`fields`) from the other locales. For `uniques`, see
 * `SharedWrite`.
 */
export type Merge = Readonly<{
  collection: string
  fields: readonly string[]
  uniques?: UniqueList | undefined
}>

/** The step that writes the draft or only version. */
export type MainWrite = Readonly<
  | { kind: 'insert'; collection: string; id: number; document: Fields }
  | {
      kind: 'update'
      collection: string
      id: number
      /** Revision that the version had when it was read. If the stored revision differs, the step changes nothing. */
      ifRevision: number
      set: Fields
      /** The complete version as read. It is restored if a unique index rejects a later step. */
      previous: Fields
    }
>

/** The step that writes the published version. */
export type Publication = Readonly<{
  collection: string
  releases: readonly TargetRemoval[]
  /**
   * The complete published version as read, which is restored if a unique index rejects shared values in another
   * locale. Null if there was none.
   */
  previous: Fields | null
  /** Record id of the published version. A new id if the version does not exist yet. */
  id: number
  fields: Fields
  /**
   * For attributes that writes of other versions may change as well: the latest stamp that this write knows, by stored
   * name.
   */
  stamps: Readonly<Record<string, number>>
  /**
   * Stored names of attributes that writes of other versions may change as well. A stored value with a later stamp is
   * kept.
   */
  guarded: readonly string[]
  /** Unique values in the components of the version; undefined = none. */
  uniques?: UniqueList | undefined
  /**
   * Only the changed fields. Writing them is enough if the version is unchanged since it was read. Null = always write
   * all fields.
   */
  difference: Fields | null
  /** Whether to publish only if the published version is unchanged since it was read (`If-Match`). */
  conditional: boolean
}>

/**
 * A step that removes targets of an exclusive relation from all other owners. If two owners take a target from each
 * other, the owner with the higher `order` gets it. If the orders are equal, the owner with the higher documentId gets
 * it.
 */
export type TargetRemoval = Readonly<{
  collection: string
  field: string
  many: boolean
  /** Set if the relation has no index of its own, so that its owners are found through the index on `_refs`. */
  listed?: true | undefined
  targets: readonly Readonly<{ documentId: string; order: number }>[]
  locale: string | null
  /** documentId of the owner that gets the targets. */
  except: string
}>

/**
 * Shared values to write to all other locales of the document. A value is only written where the stored stamp is
 * earlier.
 */
export type SharedWrite = Readonly<{
  collection: string
  values: Fields
  stamps: Readonly<Record<string, number>>
  /** Unique values in the components of the written version. Undefined if the collection lists none. */
  uniques?: UniqueList | undefined
}>

/**
 * A progress record: what a write is about to change and may leave incomplete if it is interrupted. A repair checks
 * this data (docs/internals/storage.md, "Records of writes in flight").
 */
export type AffectedData = Readonly<{
  /** uid of the content-type of the written document. */
  uid: string
  documentId: string
  /** Targets that the write is about to connect in exclusive relations with many targets. */
  lists: readonly ListTargets[]
  /** Code of a locale that is about to be deleted. Interrupted writes may leave versions in this locale. */
  locale?: string
  /** Set if the document is about to be deleted. References to it are removed after the delete. */
  deleted?: true
}>

/** Targets of one exclusive relation. Each entry of the collection has its own list of targets in `field`. */
export type ListTargets = Readonly<{
  collection: string
  field: string
  /** documentIds of the targets. */
  targets: readonly string[]
}>

/** A step that adds one reference to an owner, or removes it from the owner. */
export type OwnerWrite = Readonly<{
  collection: string
  documentId: string
  locale: string | null
  field: string
  many: boolean
  /** documentId that the reference contains: the document from which the inverse relation is edited. */
  target: string
  /** uid of the target's type. Only set for polymorphic relations. */
  type?: string | undefined
  /** Null = remove the reference. Otherwise the `order` of the owner in the target's inverse list. */
  order: number | null
  /** See `TargetRemoval`. */
  listed?: true | undefined
  /** Whether a target can have only one owner. */
  exclusive: boolean
  /** Whether to do nothing if the owner now refers to another document. */
  ifFree: boolean
  /** Whether to do nothing if the owner no longer refers to the target. */
  ifThere?: true | undefined
}>
