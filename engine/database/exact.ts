import type { BSONSerializeOptions } from 'mongodb'

/** Options that keep the types of numbers, so that a document is written with the same bytes as it was read. */
export const exact: BSONSerializeOptions = {
  promoteValues: false,
  promoteLongs: false,
  bsonRegExp: true,
  ignoreUndefined: false,
}
