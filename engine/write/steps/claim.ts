import { createHash } from 'node:crypto'
import { claims } from '../../database/own-collections.js'
import type { UnitOfWork } from '../../database/unit-of-work.js'
import { newlyListed } from './newly-listed.js'
import type { SavePlan } from './write-plan.js'

const slots = 65_536

/**
 * Lets two transactions that decide about the same thing meet, though neither writes what the other reads: the later
 * one is run again, and sees what the first did (docs/storage.md, "One by one, or together"). There is a bounded number
 * of documents for it; two things that share one wait for each other without need.
 */
export async function claim(unit: UnitOfWork, things: readonly string[]): Promise<void> {
  if (things.length === 0) return
  const collection = unit.db.collection<{ _id: number; count: number }>(claims)
  const update = { $inc: { count: 1 } }
  const each = [...new Set(things.map(slotOf))].map((_id) => ({
    updateOne: { filter: { _id }, update, upsert: true },
  }))
  await unit.write(false, (options) => collection.bulkWrite(each, options))
}

/** All locales of a document: what they share, and whether it is the last one. */
const localesOf = (collection: string, documentId: string): string => `${collection} ${documentId}`

/** Before a version is deleted: of two who delete the last two of a document, one is to see that it was the last. `collection` is the drafts'. */
export async function claimLocales(
  unit: UnitOfWork,
  collection: string,
  documentIds: readonly string[],
): Promise<void> {
  if (unit.isTransaction)
    await claim(
      unit,
      documentIds.map((documentId) => localesOf(collection, documentId)),
    )
}

/** What a save decides about and does not write. */
export function claimsOf(plan: SavePlan): readonly string[] {
  const { main, shared, documentId, joins, claims = [] } = plan
  return [
    ...claims,
    ...(joins === true || shared.length > 0 ? [localesOf(main.collection, documentId)] : []),
    ...newlyListed(plan).map(({ collection, field, locale, target }) =>
      holderOf(collection, field, locale, target),
    ),
  ]
}

/** Which list has a target that only one may have. */
const holderOf = (
  collection: string,
  field: string,
  locale: string | null,
  target: string,
): string => [collection, field, locale, target].join(' ')

const slotOf = (thing: string): number =>
  createHash('sha256').update(thing).digest().readUInt32BE() % slots
