import type { Document, Filter } from 'mongodb'

/** A complete stored version. */
export type Stored = Document & { _id: number }

/** Inserts a version, or updates it if it is unchanged since it was read. */
export type VersionStep =
  | Readonly<{ kind: 'insert'; version: Stored }>
  | Readonly<{ kind: 'update'; filter: Filter<Stored>; update: Document }>
