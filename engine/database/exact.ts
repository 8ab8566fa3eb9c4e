import type { BSONSerializeOptions } from 'mongodb'

/**
 * Options to read documents without converting numbers, so that the documents can be written back with the same bytes.
 */
export const exact: BSONSerializeOptions = {
  promoteValues: false,
  promoteLongs: false,
  bsonRegExp: true,
  ignoreUndefined: false,
}
