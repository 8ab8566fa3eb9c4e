import type { BSONSerializeOptions } from 'mongodb'

/**
 * Options for reading documents without converting numbers. A document can then be written back with the same bytes.
 */
export const exact: BSONSerializeOptions = {
  promoteValues: false,
  promoteLongs: false,
  bsonRegExp: true,
  ignoreUndefined: false,
}
