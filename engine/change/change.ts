import type { RelationAttribute } from '../schema/attribute.js'
import type { ContentType } from '../schema/content-type.js'
import type { PendingEdge, Version } from './versions.js'
import type { Fields } from '../values/fields.js'
import type { Reference } from '../values/reference.js'

/** What one write means for one document, with everything decided but how to store it. */
export type Change = Readonly<{
  type: ContentType
  documentId: string
  locale: string | null
  /** The draft, or the only version, as read; undefined where this write makes it. */
  before: Version | undefined
  /** Whether the document is made by this write, so that no other locale of it can exist. */
  alone: boolean
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
  attribute: RelationAttribute
  locale: string | null
  drafts: OwnerChange
  /** Undefined where owners have one version. */
  published: OwnerChange | undefined
}>

/** The owners of one status. */
export type OwnerChange = Readonly<{
  /** documentIds of all owners afterwards, with their place in this document's list. */
  orders: ReadonlyMap<string, number>
  /** Those of them that are new or were moved. */
  moved: ReadonlySet<string>
  /** Those that are owners no longer. */
  removed: readonly string[]
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
