import type { Db, Document, WriteConcernOptions } from 'mongodb'
import type { SavePlan, SharedWrite } from './write-plan.js'
import { writeConcern } from '../../database/durability.js'
import { refusedIndex } from '../../database/duplicate-key.js'
import { nextRevision, stampOf } from './expressions.js'
import type { FieldReferences } from '../../database/list-references.js'
import { listReferences } from '../../database/list-references.js'
import type { ReferencePlaces } from '../../values/references.js'
import { referencesUnder } from '../../values/references.js'
import type { VersionKey } from '../../values/stored-types.js'

type Stored = Document & { _id: number; _revision: number }

/**
 * Gives all locales of a document what they have in common. Where a unique index refuses it in one of
 * them, the others get back what they had, if nobody wrote it meanwhile.
 * @returns the fields of the index that refused
 */
export async function executeLocales(
  db: Db,
  { documentId, locale, merges, shared, sharedUnique, places, now }: SavePlan,
  concern: () => Promise<WriteConcernOptions>,
): Promise<readonly string[] | undefined> {
  const place = { documentId, locale, places, now }
  const undo: (() => Promise<void>)[] = []
  try {
    for (const merge of merges) await executeMerge(db, merge, place)
    for (const write of shared) {
      if (sharedUnique) undo.push(await undoing(db, write, place))
      await executeShared(db, write, place, await concern())
    }
    return undefined
  } catch (error) {
    const refused = refusedIndex(error)
    if (refused === undefined) throw error
    for (const step of undo.toReversed()) await step()
    return refused
  }
}

/** Remembers what a write replaces in other locales; each value comes back where its stamp is still that of the write. */
async function undoing(
  db: Db,
  { collection, stamps }: SharedWrite,
  { documentId, locale, places }: Written,
): Promise<() => Promise<void>> {
  const versions = db.collection<Stored>(collection)
  const others = await versions
    .find({ documentId, locale: { $ne: locale } }, { promoteLongs: false })
    .toArray()
  return async () => {
    for (const other of others)
      for (const [field, stamp] of Object.entries(stamps)) {
        const before = (other['_stamps'] as Record<string, number> | undefined)?.[field] ?? 0
        if (Number(before) >= stamp) continue
        await versions.updateOne(
          { _id: other._id, [`_stamps.${field}`]: stamp },
          [takeValue(field, other[field], before, places)],
          await writeConcern(db, true),
        )
      }
  }
}

/** The version that was written, and when. */
type Written = VersionKey & Readonly<{ places: ReferencePlaces; now: number }>

/**
 * Gives attributes that all locales share to the other locales, each where its stamp is newer
 * (docs/storage.md, "Rule 5: the latest value wins"); to every one where the locale is `*`.
 */
export async function executeShared(
  db: Db,
  { collection, values, stamps }: SharedWrite,
  { documentId, locale, places, now }: Written,
  concern: WriteConcernOptions,
): Promise<void> {
  await db
    .collection(collection)
    .updateMany(
      { documentId, ...(locale === '*' ? {} : { locale: { $ne: locale } }), ...isOlder(stamps) },
      [takeNewer(values, stamps, places, now)],
      concern,
    )
}

/** A new locale looks once more at what the others hold, in case one was written while it was made. */
async function executeMerge(
  db: Db,
  { collection, fields }: Readonly<{ collection: string; fields: readonly string[] }>,
  { documentId, locale, places, now }: Written,
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
        [takeNewer(values, stamps, places, now)],
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
  places: ReferencePlaces,
  now: number,
): Document {
  const set: Document = { _revision: nextRevision(now) }
  const references: FieldReferences[] = []
  for (const [field, stamp] of Object.entries(stamps)) {
    const isNewer = { $lt: [stampOf(field), stamp] }
    set[field] = { $cond: [isNewer, { $literal: values[field] ?? null }, `$${field}`] }
    set[`_stamps.${field}`] = { $max: [stampOf(field), stamp] }
    if (!places.fields.has(field)) continue
    references.push({
      field,
      texts: referencesUnder(field, values[field], places),
      isWritten: isNewer,
    })
  }
  return { $set: { ...set, ...listReferences(references) } }
}

/** Puts one value back, with its stamp. */
function takeValue(
  field: string,
  value: unknown,
  stamp: number,
  places: ReferencePlaces,
): Document {
  const texts = referencesUnder(field, value, places)
  return {
    $set: {
      [field]: { $literal: value ?? null },
      [`_stamps.${field}`]: stamp,
      _revision: { $add: ['$_revision', 1] },
      ...(places.fields.has(field) ? listReferences([{ field, texts }]) : {}),
    },
  }
}
