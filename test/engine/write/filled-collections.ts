import type { Db, Document } from 'mongodb'

/**
 * Returns the names of the collections that have documents, without those that start with `_`. Takes two commands,
 * however many collections there are.
 */
export async function filledCollections(db: Db): Promise<ReadonlySet<string>> {
  const listed = await db.listCollections({}, { nameOnly: true }).toArray()
  const [first, ...others] = listed.map(({ name }) => name).filter((name) => !name.startsWith('_'))
  if (first === undefined) return new Set()
  const nameIfFilled = (name: string): Document[] => [
    { $limit: 1 },
    { $project: { _id: { $literal: name } } },
  ]
  const found = await db
    .collection(first)
    .aggregate<{ _id: string }>([
      ...nameIfFilled(first),
      ...others.map((coll) => ({ $unionWith: { coll, pipeline: nameIfFilled(coll) } })),
    ])
    .toArray()
  return new Set(found.map(({ _id }) => _id))
}
