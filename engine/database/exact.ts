import type { BSONSerializeOptions } from 'mongodb'

/** Keeps the types of numbers, so that what is written has the same bytes as what was read. */
export const exact: BSONSerializeOptions = {
  promoteValues: false,
  promoteLongs: false,
  bsonRegExp: true,
  ignoreUndefined: false,
}
