/** A reference in a request body: a documentId, or the id of a version. */
export type Reference =
  string | number | { documentId: string; locale?: string | null } | { id: number | string }

/** Position of a connected document in the list. */
export type Position =
  { start: true } | { end: true } | { before: string | number } | { after: string | number }

type Connected =
  | string
  | number
  | { documentId: string; locale?: string | null; position?: Position }
  | { id: number | string; position?: Position }

/**
 * A relation in a request body. A document or list replaces all references, and null removes them. `connect` and
 * `disconnect` change single references.
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

/** Value of a media field in a request body. */
export type MediaInput = RelationInput

/** `__type` is the type of the document in `before` or `after`. Default: the type of the document to connect. */
type TypedPosition<U> = Position & { __type?: U }

type Typed<U> = { __type: U; documentId: string } | { __type: U; id: number | string }

type TypedConnected<U> = Typed<U> & { position?: TypedPosition<U> }

/** A polymorphic relation in a request body. `U` is the union of the uids of its content-types. */
export type MorphInput<U extends string = string> =
  | Typed<U>
  | readonly Typed<U>[]
  | { set: Typed<U> | readonly Typed<U>[] }
  | {
      connect?: TypedConnected<U> | readonly TypedConnected<U>[]
      disconnect?: Typed<U> | readonly Typed<U>[]
      options?: { strict?: boolean }
    }
