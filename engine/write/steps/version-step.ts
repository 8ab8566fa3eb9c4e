import type { Document, Filter } from 'mongodb'

/** A version as it is stored. */
export type Stored = Document & { _id: number }

/** A version that is inserted, or changed where it is as it was read. */
export type VersionStep =
  | Readonly<{ kind: 'insert'; version: Stored }>
  | Readonly<{ kind: 'update'; filter: Filter<Stored>; update: Document }>
