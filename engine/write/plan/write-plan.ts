import type { ReferencePlaces } from '../../values/references.js'
import type { Fields } from '../../values/stored-types.js'
import type { UniqueList } from '../../values/unique-list.js'

/** The steps of a create, update or publish, in the order of docs/storage.md, "The rules of writing"; plain data. */
export type SavePlan = Readonly<{
  documentId: string
  locale: string | null
  /** Revision of the draft or only version after the write. */
  revision: number
  /** Exclusive relations whose targets are taken from previous owners, in the collection of `main`. */
  releases: readonly Release[]
  /** Whether the write requires that the version is unchanged since it was read (`If-Match`); absent = no. */
  conditional?: true | undefined
  /** As in `Change`. */
  undisturbed?: true | undefined
  main: MainWrite
  publication: Publication | null
  /** Shared attributes to write to the other locales. */
  shared: readonly SharedWrite[]
  /** Whether a unique index may refuse the shared values. If so, the values that they replace must be read first. */
  sharedUnique: boolean
  /** Whether the write creates a version next to those of other locales; absent = no. */
  joins?: true | undefined
  /** Collections in which a new locale reads the shared values of the other locales again. */
  merges: readonly Merge[]
  /** Changes of entries whose relation is written from its inverse side. */
  owners: readonly OwnerWrite[]
  /** Whether pending edits of inverse relations are deleted in the end. */
  settles: boolean
  /**
   * Stored names of the attributes with generated uids; absent = none. If another write took a uid first, the save
   * generates another.
   */
  generated?: readonly string[] | undefined
  /** Keys to claim for uniqueness that no index ensures; absent = none. */
  claims?: readonly string[] | undefined
  /** Places where versions of the document may refer to others. */
  places: ReferencePlaces
  /** Milliseconds. */
  now: number
}>

/** A collection in which a new locale takes over shared values; `uniques` as in `SharedWrite`. */
export type Merge = Readonly<{
  collection: string
  fields: readonly string[]
  uniques?: UniqueList | undefined
}>

/** The draft, or the only version. */
export type MainWrite = Readonly<
  | { kind: 'insert'; collection: string; id: number; document: Fields }
  | {
      kind: 'update'
      collection: string
      id: number
      /** Revision as read. If the stored revision differs, another write was faster. */
      ifRevision: number
      set: Fields
      /** The whole version as read, to be restored if publishing is refused. */
      previous: Fields
    }
>

/** The published version. */
export type Publication = Readonly<{
  collection: string
  releases: readonly Release[]
  /** The whole version as read, to be restored if another locale refuses; null = there was none. */
  previous: Fields | null
  /** Record id of the version; a new one if the version does not exist yet. */
  id: number
  fields: Fields
  /** Stamps of attributes that other versions may write, by stored name: the latest that this write has seen. */
  stamps: Readonly<Record<string, number>>
  /** Stored names of attributes that other versions may write. Their values are kept if they have a newer stamp. */
  guarded: readonly string[]
  /** List of unique values of the version; absent = none. */
  uniques?: UniqueList | undefined
  /** The changed fields, which suffice if the version is unchanged since it was read; null = write all fields. */
  difference: Fields | null
  /** Whether to publish only if the version is unchanged since it was read (`If-Match`). */
  conditional: boolean
}>

/**
 * Takes targets from all other owners. If two owners of a list take a target from each other, the later one keeps it.
 * That is the one with the higher `order`, or with equal orders the higher documentId.
 */
export type Release = Readonly<{
  collection: string
  field: string
  many: boolean
  /** Whether the relation has no index, so that owners are found by their lists of references. */
  listed?: true | undefined
  targets: readonly Readonly<{ documentId: string; order: number }>[]
  locale: string | null
  /** documentId of the owner that keeps the targets. */
  except: string
}>

/** Values for all other locales of the document. Each value is written only if its stamp is newer. */
export type SharedWrite = Readonly<{
  collection: string
  values: Fields
  stamps: Readonly<Record<string, number>>
  /** List of unique values of the written version; absent = the collection has none. */
  uniques?: UniqueList | undefined
}>

/**
 * Data that a write is about to change and may leave incomplete if it is interrupted. A repair checks it
 * (docs/storage.md, "Where a repair looks").
 */
export type AffectedData = Readonly<{
  /** uid of the written document's type. */
  uid: string
  documentId: string
  /** Targets that exclusive lists are about to connect. */
  lists: readonly ListTargets[]
  /** Code of a locale that is about to be deleted. Writers may leave versions in it. */
  locale?: string
  /** The document is about to be deleted. References to it are removed after the write. */
  deleted?: true
}>

/** Targets of one exclusive list field; a collection may have many such lists, one in each entry. */
export type ListTargets = Readonly<{
  collection: string
  field: string
  /** documentIds. */
  targets: readonly string[]
}>

/** One reference to add to or remove from one entry. */
export type OwnerWrite = Readonly<{
  collection: string
  documentId: string
  locale: string | null
  field: string
  many: boolean
  /** documentId of the document whose inverse relation is written. */
  target: string
  /** For a polymorphic relation: uid of the target's type. */
  type?: string | undefined
  /** Order of the entry in the target's inverse list; null removes the reference. */
  order: number | null
  /** As in `Release`. */
  listed?: true | undefined
  /** Whether the target may have no other owner. */
  exclusive: boolean
  /** Whether to skip the entry if it refers to another document by now. */
  ifFree: boolean
  /** Whether to skip the entry if it no longer refers to the target. */
  ifThere?: true | undefined
}>
