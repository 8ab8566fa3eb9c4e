import type { Document } from 'mongodb'

/** Documents by what they have in a field. */
export function groupBy<T extends Document>(
  documents: readonly T[],
  field: string,
): ReadonlyMap<unknown, readonly T[]> {
  const groups = new Map<unknown, T[]>()
  for (const document of documents) {
    const value: unknown = document[field]
    const group = groups.get(value)
    if (group === undefined) groups.set(value, [document])
    else group.push(document)
  }
  return groups
}
