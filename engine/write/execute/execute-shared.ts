import type { Document } from 'mongodb'
import { shareCommand } from '../load/combine.js'
import { findAtOnce } from '../load/find-at-once.js'
import type { Merge, SavePlan, SharedWrite } from '../plan/write-plan.js'
import type { UnitOfWork } from '../../database/unit-of-work.js'
import { refusedIndex } from '../../database/duplicate-key.js'
import { nextRevision, stampOf } from '../load/expressions.js'
import type { FieldReferences, FieldUniques } from '../../database/list-references.js'
import { listReferences, storeUniqueLists } from '../../database/list-references.js'
import type { ReferencePlaces } from '../../values/references.js'
import { referencesUnder } from '../../values/references.js'
import type { Fields, VersionKey } from '../../values/stored-types.js'
import type { UniqueList } from '../../values/unique-list.js'
import { listedIn, listedUnder } from '../../values/unique-list.js'

type Stored = Document & { _id: number; _revision: number }

/**
 * Writes shared values to all locales. If a unique index rejects a value in one locale, restores the other locales,
 * except values that another write has changed. A transaction is aborted instead, so it restores nothing.
 * @returns the fields of the unique index that rejected a value
 */
export async function executeLocales(
  unit: UnitOfWork,
  { documentId, locale, merges, shared, sharedUnique, places, now }: SavePlan,
  isLast: () => boolean,
): Promise<readonly string[] | undefined> {
  const place = { documentId, locale, places, now }
  const undo: (() => Promise<void>)[] = []
  try {
    for (const merge of merges) await executeMerge(unit, merge, place)
    for (const write of shared) {
      if (sharedUnique && !unit.isTransaction) undo.push(await undoing(unit, write, place))
      await executeShared(unit, write, place, isLast())
    }
    return undefined
  } catch (error) {
    const refused = refusedIndex(error)
    if (refused === undefined) throw error
    for (const step of undo.toReversed()) await step()
    return refused
  }
}

/**
 * Reads the values in other locales that are about to be replaced, and returns a function that restores them. That
 * function skips values whose stamp shows that another write has replaced them.
 */
async function undoing(
  unit: UnitOfWork,
  { collection, stamps, uniques }: SharedWrite,
  { documentId, locale, places }: Written,
): Promise<() => Promise<void>> {
  const versions = unit.db.collection<Stored>(collection)
  const others = await findOtherLocales(unit, collection, { documentId, locale })
  return async () => {
    for (const other of others)
      for (const [field, stamp] of Object.entries(stamps)) {
        const before = (other['_stamps'] as Record<string, number> | undefined)?.[field] ?? 0
        if (Number(before) >= stamp) continue
        await unit.write(true, (options) =>
          versions.updateOne(
            { _id: other._id, [`_stamps.${field}`]: stamp },
            [takeValue(field, other, before, { places, uniques })],
            options,
          ),
        )
      }
  }
}

/** `now` is in milliseconds since 1970. */
type Written = VersionKey & Readonly<{ places: ReferencePlaces; now: number }>

/**
 * Writes shared values to the other locales. Outside transactions, concurrent writes share one command and one wait for
 * the journal.
 */
export async function executeShared(
  unit: UnitOfWork,
  { collection: name, ...shared }: SharedWrite,
  written: Written,
  isLast: boolean,
): Promise<void> {
  const collection = unit.db.collection(name)
  const step = sharedStep(shared, written)
  await shareCommand(unit, `share ${isLast ? 'last ' : ''}in ${name}`, step, {
    one: ({ filter, update }, by) =>
      by.write(isLast, (options) => collection.updateMany(filter, update, options)),
    all: (steps, by) => {
      const operations = steps.map((updateMany) => ({ updateMany }))
      return by.write(isLast, (options) =>
        collection.bulkWrite(operations, { ...options, ordered: false }),
      )
    },
  })
}

type SharedStep = Readonly<{ filter: Document; update: Document[] }>

/**
 * Returns the step that writes shared values to the other locales (`*`: to all), except over values with a later stamp
 * (docs/internals/storage.md, "Rule 5: the latest value wins").
 */
export function sharedStep(
  { values, stamps, uniques }: Pick<SharedWrite, 'values' | 'stamps' | 'uniques'>,
  { documentId, locale, places, now }: Written,
): SharedStep {
  const others = locale === '*' ? {} : { locale: { $ne: locale } }
  return {
    filter: { documentId, ...others, ...isOlder(stamps) },
    update: [takeNewer(values, stamps, { places, uniques }, now)],
  }
}

/** Copies shared values to a new locale once more, because they may have been written in another locale meanwhile. */
async function executeMerge(
  unit: UnitOfWork,
  { collection, fields, uniques }: Merge,
  { documentId, locale, places, now }: Written,
): Promise<void> {
  const versions = unit.db.collection(collection)
  const siblings = await findOtherLocales(unit, collection, { documentId, locale })
  for (const sibling of siblings) {
    const all = (sibling['_stamps'] ?? {}) as Readonly<Record<string, number>>
    const names = fields.filter((field) => (all[field] ?? 0) > 0)
    if (names.length === 0) continue
    const stamps = Object.fromEntries(names.map((name) => [name, all[name] ?? 0]))
    const values = Object.fromEntries(names.map((name) => [name, sibling[name] as unknown]))
    const lists = { places, uniques: uniques && { ...uniques, listed: listedIn(sibling) } }
    await unit.write(false, (options) =>
      versions.updateOne(
        { documentId, locale, ...isOlder(stamps) },
        [takeNewer(values, stamps, lists, now)],
        options,
      ),
    )
  }
}

function findOtherLocales(
  unit: UnitOfWork,
  collection: string,
  { documentId, locale }: VersionKey,
): Promise<readonly Stored[]> {
  const filter = { documentId, locale: { $ne: locale } }
  return unit.read((options) =>
    findAtOnce<Stored>(unit.db, { collection, filter, exact: true }, options),
  )
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
  lists: Lists,
  now: number,
): Document {
  const fields = Object.keys(stamps).map((field) => [field, values[field]] as const)
  const isNewer = (field: string): Document => ({ $lt: [stampOf(field), stamps[field] ?? 0] })
  const written = setFields(Object.fromEntries(fields), lists, isNewer)
  return { $set: { ...written, ...laterStamps(stamps), _revision: nextRevision(now) } }
}

/** Returns the update stage that restores one value and its stamp. */
function takeValue(
  field: string,
  version: Stored,
  stamp: number,
  { places, uniques }: Lists,
): Document {
  const lists = { places, uniques: uniques && { ...uniques, listed: listedIn(version) } }
  return {
    $set: {
      ...setFields({ [field]: version[field] }, lists),
      [`_stamps.${field}`]: stamp,
      _revision: { $add: ['$_revision', 1] },
    },
  }
}

/** Needed to update the lists of references and of unique values in a changed version. */
type Lists = Readonly<{ places: ReferencePlaces; uniques: UniqueList | undefined }>

/**
 * Returns the members of a `$set` that write fields and that update the lists of references and of unique values.
 * @param isWritten returns an expression: whether to write the field; default: always
 */
export function setFields(
  fields: Fields,
  { places, uniques }: Lists,
  isWritten: (field: string) => Document | undefined = () => undefined,
): Document {
  const set: Document = {}
  const references: FieldReferences[] = []
  const listed: FieldUniques[] = []
  for (const [field, value] of Object.entries(fields)) {
    const guard = isWritten(field)
    const own = { $literal: value ?? null }
    set[field] = guard === undefined ? own : { $cond: [guard, own, `$${field}`] }
    if (!places.fields.has(field)) continue
    const written = guard && { isWritten: guard }
    references.push({ field, texts: referencesUnder(field, value, places), ...written })
    if (uniques?.fields.has(field) === true)
      listed.push({ field, listed: listedUnder(field, uniques.listed), ...written })
  }
  return { ...set, ...listReferences(references), ...storeUniqueLists(listed) }
}

/** Returns the members of a `$set` that raise stamps. */
export const laterStamps = (stamps: Readonly<Record<string, number>>): Document =>
  Object.fromEntries(
    Object.entries(stamps).map(([field, stamp]) => [
      `_stamps.${field}`,
      { $max: [stampOf(field), stamp] },
    ]),
  )
