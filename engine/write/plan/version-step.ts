import type { Document, Filter } from 'mongodb'

/** A complete version, as it is stored. */
export type Stored = Document & { _id: number }

/** A step that inserts a version, or updates it if it is unchanged since it was read. */
export type VersionStep =
  | Readonly<{ kind: 'insert'; version: Stored }>
  | Readonly<{ kind: 'update'; filter: Filter<Stored>; update: Document }>
