import type { Collection, Db } from 'mongodb'
import type { Logger } from 'pino'
import type { Clash } from '../../engine/repair/list-uniques.js'
import { listUniques } from '../../engine/repair/list-uniques.js'
import { uniquesChecks } from '../../engine/repair/plan-repair.js'
import type { Registry } from '../../engine/schema/registry.js'
import { uniqueTexts } from '../../engine/schema/unique-places.js'

/**
 * Which component values of each type had to be unique when `keepUniques` was last called. If the definitions now
 * differ, the lists in the entries are outdated.
 */
type Listed = Readonly<{
  _id: string
  types: readonly Readonly<{ uid: string; lists: string[] }>[]
}>

const settingsOf = (db: Db): Collection<Listed> => db.collection<Listed>('_settings')
const id = 'uniques'

/** Number of duplicates that are logged individually. */
const maxNamed = 20

/**
 * Stores in each entry the list of unique values of its components, if the definitions have changed. Logs existing
 * duplicates, which stay until a write changes them. All instances must already have the new definitions. Otherwise,
 * they could write entries without the list.
 */
export async function keepUniques({
  db,
  log,
  registry,
}: Readonly<{ db: Db; log: Logger; registry: Registry }>): Promise<void> {
  const before = await settingsOf(db).findOne({ _id: id })
  const checks = uniquesChecks(registry)
  const types = checks.map(({ uid, places }) => ({ uid, lists: [...uniqueTexts(places)] }))
  const isListed = (uid: string): boolean => textOf(types, uid) === textOf(before?.types ?? [], uid)
  let count = 0
  for (const check of checks) {
    const { uid } = check
    if (!isListed(uid)) await listUniques(db, check, { repairs: true })
    // Check duplicates again: if the entry that owned a value has lost it, another entry becomes the owner.
    const clashed = ({ documentId, locale, path }: Clash): void => {
      count += 1
      if (count > maxNamed) return
      const place = { uid, documentId, locale, path: path.join('.') }
      log.warn({ event: 'not-unique', ...place }, notUnique)
    }
    await listUniques(db, check, { repairs: true, onlyClashing: true, clashed })
  }
  if (count > maxNamed)
    log.warn({ event: 'not-unique', count }, `${count} values should be unique, but are not`)
  if (types.some(({ uid }) => !isListed(uid)) || (before?.types.length ?? 0) > types.length)
    await settingsOf(db).updateOne({ _id: id }, { $set: { types } }, { upsert: true })
}

/** Call this before another program writes entries: the next start then lists all unique values again. */
export async function forgetUniques(db: Db): Promise<void> {
  await settingsOf(db).deleteOne({ _id: id })
}

const textOf = (types: Listed['types'], uid: string): string | undefined =>
  types.find((type) => type.uid === uid)?.lists.join('\n')

const notUnique =
  'This value should be unique, and an earlier component of its content-type has it. The entry can be saved as long as the value is not sent'
