import type { BSONSerializeOptions } from 'mongodb'

/** Numbers keep their kind, so that what is written is byte for byte what was read. */
export const exact: BSONSerializeOptions = {
  promoteValues: false,
  promoteLongs: false,
  bsonRegExp: true,
  ignoreUndefined: false,
}
