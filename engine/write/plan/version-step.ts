import type { Document, Filter } from 'mongodb'

/** A version as stored. */
export type Stored = Document & { _id: number }

/** A version to insert, or to update if it is unchanged since it was read. */
export type VersionStep =
  | Readonly<{ kind: 'insert'; version: Stored }>
  | Readonly<{ kind: 'update'; filter: Filter<Stored>; update: Document }>
