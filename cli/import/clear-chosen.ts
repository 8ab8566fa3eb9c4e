import type { Db } from 'mongodb'
import { collectionsOf } from '../../engine/schema/content-type.js'
import { builtIn, typeOf, type Registry } from '../../engine/schema/registry.js'
import type { UnsettledContents } from '../../server/upload/unsettled-contents.js'
import { ownCollections } from '../../server/backup/parts.js'
import type { Selection } from '../../server/backup/selection.js'
import { findMade } from '../find-made.js'
import { clearFiles } from '../media/clear-files.js'

/** What of the chosen is there already and was made by somebody, in words. */
export async function findChosen(
  db: Db,
  registries: readonly [Registry, Registry],
  selection: Selection,
): Promise<readonly string[]> {
  const isReplaced = (uid: string): boolean => uid !== builtIn.adminUser && selection.hasType(uid)
  const made = await findMade(db, registries, isReplaced)
  // A start makes the first admin.
  const { collectionName: admins } = typeOf(registries[0], builtIn.adminUser)
  const hasAdmins = selection.hasType(builtIn.adminUser) && (await countUpTo(db, admins, 2)) > 1
  const { tokens } = ownCollections
  const hasTokens = selection.hasWhole('tokens') && (await countUpTo(db, tokens, 1)) > 0
  return [...made, ...(hasAdmins ? ['several admins'] : []), ...(hasTokens ? ['API tokens'] : [])]
}

const countUpTo = (db: Db, name: string, limit: number): Promise<number> =>
  db.collection(name).countDocuments({}, { limit })

/** Takes away what the archive brings. Its indexes go, too, and are made when all is there. It may be repeated. */
export async function clearChosen(
  db: Db,
  registry: Registry,
  selection: Selection,
  contents: UnsettledContents,
): Promise<void> {
  if (selection.hasType(builtIn.file)) await clearFiles(db, registry, contents)
  for (const type of registry.contentTypes.values())
    if (selection.hasType(type.uid)) {
      for (const name of collectionsOf(type)) await db.dropCollection(name)
      await db.collection<{ _id: string }>(ownCollections.singles).deleteOne({ _id: type.uid })
      await db
        .collection<{ _id: string }>(ownCollections.legacyIds)
        .deleteMany({ _id: { $gte: `${type.uid}:`, $lt: `${type.uid};` } })
    }
  if (selection.hasWhole('tokens')) await db.collection(ownCollections.tokens).deleteMany({})
  // What was answered for content that is gone, and logins of users who perhaps are.
  if ([...registry.contentTypes.keys()].some(selection.hasType))
    await db.collection('_idempotency').deleteMany({})
  if (selection.hasType(builtIn.user) || selection.hasType(builtIn.adminUser))
    await db.collection('_sessions').deleteMany({})
}
