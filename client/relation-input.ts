/** What a body names a document by: its documentId, or the id of one of its versions. */
export type Reference =
  string | number | { documentId: string; locale?: string | null } | { id: number | string }

/** Where a document is put among those that are connected. */
export type Position =
  { start: true } | { end: true } | { before: string | number } | { after: string | number }

type Connected =
  | string
  | number
  | { documentId: string; locale?: string | null; position?: Position }
  | { id: number | string; position?: Position }

/** What a relation is written as: documents that take the place of what was there, or a change to it; null clears it. */
export type RelationInput =
  | Reference
  | readonly Reference[]
  | { set: Reference | readonly Reference[] }
  | {
      connect?: Connected | readonly Connected[]
      disconnect?: Reference | readonly Reference[]
      options?: { strict?: boolean }
    }

/** What media are written as. */
export type MediaInput = RelationInput

/** `__type`: of the neighbour; default: that of what is placed. */
type TypedPosition<U> = Position & { __type?: U }

type Typed<U> = { __type: U; documentId: string } | { __type: U; id: number | string }

type TypedConnected<U> = Typed<U> & { position?: TypedPosition<U> }

/** What a polymorphic relation is written as; `U`: the uids of content-types. */
export type MorphInput<U extends string = string> =
  | Typed<U>
  | readonly Typed<U>[]
  | { set: Typed<U> | readonly Typed<U>[] }
  | {
      connect?: TypedConnected<U> | readonly TypedConnected<U>[]
      disconnect?: Typed<U> | readonly Typed<U>[]
      options?: { strict?: boolean }
    }
