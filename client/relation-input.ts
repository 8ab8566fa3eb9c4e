/** A reference to a document in a body: its documentId, or the id of one of its versions. */
export type Reference =
  string | number | { documentId: string; locale?: string | null } | { id: number | string }

/** Position of a document among the connected ones. */
export type Position =
  { start: true } | { end: true } | { before: string | number } | { after: string | number }

type Connected =
  | string
  | number
  | { documentId: string; locale?: string | null; position?: Position }
  | { id: number | string; position?: Position }

/**
 * Body of a relation. It contains either documents that replace the present ones, or changes to them. Null clears the
 * relation.
 */
export type RelationInput =
  | Reference
  | readonly Reference[]
  | { set: Reference | readonly Reference[] }
  | {
      connect?: Connected | readonly Connected[]
      disconnect?: Reference | readonly Reference[]
      options?: { strict?: boolean }
    }

/** Body of a media field. */
export type MediaInput = RelationInput

/**
 * A position next to another document. `__type` is the type of that document; default: the type of the placed document.
 */
type TypedPosition<U> = Position & { __type?: U }

type Typed<U> = { __type: U; documentId: string } | { __type: U; id: number | string }

type TypedConnected<U> = Typed<U> & { position?: TypedPosition<U> }

/** Body of a polymorphic relation. `U` are the uids of its content-types. */
export type MorphInput<U extends string = string> =
  | Typed<U>
  | readonly Typed<U>[]
  | { set: Typed<U> | readonly Typed<U>[] }
  | {
      connect?: TypedConnected<U> | readonly TypedConnected<U>[]
      disconnect?: Typed<U> | readonly Typed<U>[]
      options?: { strict?: boolean }
    }
