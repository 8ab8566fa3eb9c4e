import type { Db } from 'mongodb'
import { readSample } from './execute/read-sample.js'
import type { CollectionSample } from './plan/collection-facts.js'

export type { CollectionSample }

/** What some entries of a collection tell of all; null where it has none. `paths`: of what its indexes begin with. */
export function sampleCollection(
  db: Db,
  collection: string,
  paths: readonly string[],
): Promise<CollectionSample | null> {
  return readSample(db, collection, paths)
}
