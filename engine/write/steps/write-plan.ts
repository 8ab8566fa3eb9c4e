import type { ReferencePlaces } from '../../values/references.js'
import type { Fields } from '../../values/stored-types.js'
import type { UniqueList } from '../../values/unique-list.js'

/** The steps of a create, update or publish, in the order of docs/storage.md, "The rules of writing"; plain data. */
export type SavePlan = Readonly<{
  documentId: string
  locale: string | null
  /** Of the draft or only version after the write. */
  revision: number
  /** Former owners of what an exclusive relation takes over, in the collection of `main`. */
  releases: readonly Release[]
  /** Whether it is only to be done while the version is as it was read (`If-Match`); absent = no. */
  conditional?: true | undefined
  /** As in `Change`. */
  undisturbed?: true | undefined
  main: MainWrite
  publication: Publication | null
  /** Attributes that all locales have in common: written to the other ones. */
  shared: readonly SharedWrite[]
  /** Whether a unique index may refuse them, so that what they replace must be known. */
  sharedUnique: boolean
  /** Whether it makes a version beside those of other locales; absent = it does not. */
  joins?: true | undefined
  /** Collections in which a new locale looks once more at what the others have in common. */
  merges: readonly Merge[]
  /** Entries that own a relation which was written from its other side. */
  owners: readonly OwnerWrite[]
  /** Whether edits of inverse relations that were kept with the draft are done with. */
  settles: boolean
  /** Stored names of its generated uids: if another write took one first, the save generates another; absent = none. */
  generated?: readonly string[] | undefined
  /** Keys of decisions that no index guards; absent = none. */
  claims?: readonly string[] | undefined
  /** Where the versions of the document may refer to others. */
  places: ReferencePlaces
  /** Milliseconds. */
  now: number
}>

/** A collection in which a new locale takes over what others hold; `uniques` as in `SharedWrite`. */
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
      /** As it was read: another one means that somebody was faster. */
      ifRevision: number
      set: Fields
      /** The whole version as it was read, to be put back where publishing is refused. */
      previous: Fields
    }
>

/** The published version. */
export type Publication = Readonly<{
  collection: string
  releases: readonly Release[]
  /** The whole version as it was read, to be put back where another locale refuses; null = there was none. */
  previous: Fields | null
  /** Its record id, where it does not exist yet. */
  id: number
  fields: Fields
  /** Of attributes that others may write, by stored name: when this version last saw them written. */
  stamps: Readonly<Record<string, number>>
  /** Stored names of those attributes: one with a newer stamp is left alone. */
  guarded: readonly string[]
  /** What it lists; absent: nothing. */
  uniques?: UniqueList | undefined
  /** What is set where the version still is as it was read; null = it is not to be tried. */
  difference: Fields | null
  /** Whether it is only to be published while the version is as it was read (`If-Match`). */
  conditional: boolean
}>

/**
 * Takes targets away from every other owner. Of two owners of a list that take one target from each
 * other, the one that connected it later has it: whose `order` is higher, or whose documentId is where
 * they are equal.
 */
export type Release = Readonly<{
  collection: string
  field: string
  many: boolean
  /** Whether the relation has no index of its own, so that owners are found by what they list. */
  listed?: true | undefined
  targets: readonly Readonly<{ documentId: string; order: number }>[]
  locale: string | null
  /** documentId of the one that keeps them. */
  except: string
}>

/** Values for all locales of the document but one, each where its stamp is newer. */
export type SharedWrite = Readonly<{
  collection: string
  values: Fields
  stamps: Readonly<Record<string, number>>
  /** What the version that is written lists; absent: the collection lists nothing. */
  uniques?: UniqueList | undefined
}>

/**
 * What a write is about to touch of which something is left where it is cut off, and what a repair has to look at
 * then (docs/storage.md, "Where a repair looks").
 */
export type Touched = Readonly<{
  /** Of the document that is written. */
  uid: string
  documentId: string
  /** Targets that exclusive lists are about to connect. */
  lists: readonly ListTargets[]
  /** The code of a locale that is about to be deleted: nothing is left in it that somebody may still write. */
  locale?: string
  /** The document is about to be deleted: references to it are taken out behind the write. */
  deleted?: true
}>

/** Targets of one exclusive list; a collection may have many such lists, each in an entry. */
export type ListTargets = Readonly<{
  collection: string
  field: string
  /** documentIds. */
  targets: readonly string[]
}>

/** One reference put into or taken out of one entry. */
export type OwnerWrite = Readonly<{
  collection: string
  documentId: string
  locale: string | null
  field: string
  many: boolean
  /** documentId of the entry that is written. */
  target: string
  /** Of a polymorphic relation: uid of that entry's type. */
  type?: string | undefined
  /** Its place in that entry's inverse list; null takes the reference out. */
  order: number | null
  /** As in `Release`. */
  listed?: true | undefined
  /** Whether nobody else may own the target. */
  exclusive: boolean
  /** Leaves an entry alone that refers to another one by now. */
  ifFree: boolean
  /** Leaves an entry alone that does not refer to the target by now. */
  ifThere?: true | undefined
}>
