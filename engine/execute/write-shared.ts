import type { Db, Document, WriteConcernOptions } from 'mongodb'
import type { SharedWrite } from '../plan/write-plan.js'
import { writeConcern } from './write-concern.js'
import { nextRevision, stampOf } from './write-expressions.js'
import type { VersionKey } from '../values/version-key.js'

/** The version that was written, and when. */
type Written = VersionKey & Readonly<{ now: number }>

/**
 * Gives attributes that all locales share to the other locales, each where its stamp is newer
 * (docs/storage.md, "Rule 5: the latest value wins"); to every one where the locale is `*`.
 */
export async function executeShared(
  db: Db,
  { collection, values, stamps }: SharedWrite,
  { documentId, locale, now }: Written,
  concern: WriteConcernOptions,
): Promise<void> {
  await db
    .collection(collection)
    .updateMany(
      { documentId, ...(locale === '*' ? {} : { locale: { $ne: locale } }), ...isOlder(stamps) },
      [takeNewer(values, stamps, now)],
      concern,
    )
}

/** A new locale looks once more at what the others hold, in case one was written while it was made. */
export async function executeMerge(
  db: Db,
  { collection, fields }: Readonly<{ collection: string; fields: readonly string[] }>,
  { documentId, locale, now }: Written,
): Promise<void> {
  const siblings = await db
    .collection(collection)
    .find({ documentId, locale: { $ne: locale } }, { promoteLongs: false })
    .toArray()
  for (const sibling of siblings) {
    const all = (sibling['_stamps'] ?? {}) as Readonly<Record<string, number>>
    const names = fields.filter((field) => (all[field] ?? 0) > 0)
    if (names.length === 0) continue
    const stamps = Object.fromEntries(names.map((name) => [name, all[name] ?? 0]))
    const values = Object.fromEntries(names.map((name) => [name, sibling[name] as unknown]))
    await db
      .collection(collection)
      .updateOne(
        { documentId, locale, ...isOlder(stamps) },
        [takeNewer(values, stamps, now)],
        await writeConcern(db, false),
      )
  }
}

function isOlder(stamps: Readonly<Record<string, number>>): Document {
  return {
    $or: Object.entries(stamps).flatMap(([field, stamp]) => [
      { [`_stamps.${field}`]: { $lt: stamp } },
      { [`_stamps.${field}`]: null },
    ]),
  }
}

function takeNewer(
  values: Readonly<Record<string, unknown>>,
  stamps: Readonly<Record<string, number>>,
  now: number,
): Document {
  const set: Document = { _revision: nextRevision(now) }
  for (const [field, stamp] of Object.entries(stamps)) {
    const isNewer = { $lt: [stampOf(field), stamp] }
    set[field] = { $cond: [isNewer, { $literal: values[field] ?? null }, `$${field}`] }
    set[`_stamps.${field}`] = { $max: [stampOf(field), stamp] }
  }
  return { $set: set }
}
