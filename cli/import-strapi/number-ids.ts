import type { Collection, Db } from 'mongodb'
import { componentSequence } from '../../engine/database/take-ids.js'
import { folderCollection, folderUid } from '../../server/upload/folders/folder-types.js'
import type { LargestIds } from './staging/stage-export.js'

/** The last numbers that were given, by what they are of. */
export const sequences = (db: Db): Collection<{ _id: string; value: number }> =>
  db.collection('_sequences')

/**
 * What the ids of components are raised by, by uid: Strapi numbers those of each uid from 1 on, and here no two have
 * one, so each uid has a range of its own.
 * @param after the last id that was given before
 */
export function rangesOf(
  { components }: Pick<LargestIds, 'components'>,
  after: number,
): Readonly<Record<string, number>> {
  const from: Record<string, number> = {}
  let last = after
  for (const [uid, largest] of [...components].sort(([a], [b]) => (a < b ? -1 : 1))) {
    from[uid] = last
    last += largest
  }
  return from
}

/** What is made from now on gets numbers above those of the export. */
export async function raiseSequences(
  db: Db,
  { rows, components }: LargestIds,
  componentsAfter: number,
): Promise<void> {
  const raise = (_id: string, value: number) =>
    sequences(db).updateOne({ _id }, { $max: { value } }, { upsert: true })
  for (const [uid, largest] of rows)
    await raise(uid === folderUid ? folderCollection : uid, largest)
  const count = [...components.values()].reduce((sum, largest) => sum + largest, 0)
  await raise(componentSequence, componentsAfter + count)
}
