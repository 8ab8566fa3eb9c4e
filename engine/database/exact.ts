import type { BSONSerializeOptions } from 'mongodb'

/** Reads documents without converting numbers, so that they can be written back with the same bytes. */
export const exact: BSONSerializeOptions = {
  promoteValues: false,
  promoteLongs: false,
  bsonRegExp: true,
  ignoreUndefined: false,
}
