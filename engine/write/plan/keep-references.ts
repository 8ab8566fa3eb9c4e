import type { Document } from 'mongodb'
import type { ReferencePlaces } from '../../values/references.js'
import { isSameReferences, referencesField, referencesOf } from '../../values/references.js'
import type { Fields } from '../../values/stored-types.js'

/** Adds or replaces the list of references of a complete version (docs/internals/storage.md, "References"). */
export function withReferences<T extends Fields>(version: T, places: ReferencePlaces): T {
  const references = referencesOf(version, places)
  const fields = referencesField in version ? withoutList(version) : version
  return references.length > 0 ? { ...fields, [referencesField]: references } : fields
}

const withoutList = <T extends Fields>(version: T): T =>
  Object.fromEntries(Object.entries(version).filter(([field]) => field !== referencesField)) as T

/** Returns the update that sets `set` and corrects the list of references of a version that still equals `before`. */
export function writtenReferences(before: Fields, set: Fields, places: ReferencePlaces): Document {
  const references = referencesOf({ ...before, ...set }, places)
  if (isSameReferences(before[referencesField], references)) return { $set: set }
  return references.length === 0
    ? { $set: set, $unset: { [referencesField]: '' } }
    : { $set: { ...set, [referencesField]: references } }
}
