import type { Db } from 'mongodb'
import { collectionsOf } from '../../engine/schema/content-type.js'
import { builtIn, typeOf, type Registry } from '../../engine/schema/registry.js'
import type { UnsettledContents } from '../../server/upload/unsettled-contents.js'
import { clearFiles } from '../media/clear-files.js'
import { madeAtStart } from '../find-made.js'

/** Who looks after the service stays; they are in no export. */
const kept: ReadonlySet<string> = new Set([builtIn.adminUser])

/**
 * Whether an import stands in the place of all entries of a type, by its uid.
 * @param rows how many the export has of each type: roles and locales of which it has none are not in its way
 */
export const isReplacedBy =
  (rows: ReadonlyMap<string, number>) =>
  (uid: string): boolean =>
    !kept.has(uid) && (!madeAtStart.has(uid) || rows.has(uid))

/**
 * Takes everything away that an export brings: entries, files with their content, folders and users, and of roles and
 * locales those that there are where the export has any. It may be repeated.
 * @param rows how many the export has of each type
 */
export async function clearDatabase(
  db: Db,
  registry: Registry,
  contents: UnsettledContents,
  rows: ReadonlyMap<string, number>,
): Promise<void> {
  await clearFiles(db, registry, contents)
  const isReplaced = isReplacedBy(rows)
  for (const type of registry.contentTypes.values()) {
    if (isReplaced(type.uid))
      for (const name of collectionsOf(type)) await db.collection(name).deleteMany({})
  }
  for (const name of ['_singles', '_idempotency', '_sessions'])
    await db.collection(name).deleteMany({})
}

/**
 * Makes room in a database in which nobody made anything (`findMade`): what a service makes of itself at its first start
 * gives way where the export has it, and what was agreed on for single types that nobody wrote.
 * @param rows how many the export has of each type
 */
export async function clearFirstOnes(
  db: Db,
  registry: Registry,
  rows: ReadonlyMap<string, number>,
): Promise<void> {
  for (const uid of madeAtStart.keys()) {
    if (!rows.has(uid)) continue
    for (const name of collectionsOf(typeOf(registry, uid)))
      await db.collection(name).deleteMany({})
  }
  await db.collection('_singles').deleteMany({})
}
