/**
 * The storage format that this code knows, and every one before it (docs/storage.md, "Formats"): a database of
 * an earlier one is carried over beside requests, one of a later one is refused.
 */
export const storageFormat = 3

/** The format in which each version lists what it refers to. */
export const listedSince = 2
/** The format in which each draft that is modified is marked. */
export const markedSince = 3

/** `_settings { _id: "format" }`. */
export type FormatDocument = Readonly<{
  _id: string
  /** What a process has to know to write here. */
  version: number
  /** Up to which format everything that is stored has been carried over; absent = the version. */
  complete?: number
  /** How far the filling of the next one has come. */
  filling?: Filling
}>

export type Filling = Readonly<{
  /** Rises when the filling begins anew, so that who is late does not go on with the former one. */
  round: number
  /** What is filled. */
  done: readonly string[]
  /** What is being filled, and behind which record id it goes on. */
  part?: Readonly<{ name: string; after: unknown }> | undefined
}>

/** The format up to which a database is carried over. */
export const completeOf = ({ version, complete }: FormatDocument): number => complete ?? version
