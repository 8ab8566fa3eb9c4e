import { createHash } from 'node:crypto'
import { claims } from '../../database/own-collections.js'
import type { UnitOfWork } from '../../database/unit-of-work.js'
import { newlyListed } from '../plan/affected-by.js'
import type { SavePlan } from '../plan/write-plan.js'

const slots = 65_536

/**
 * Makes two transactions conflict that decide about the same thing, though neither writes what the other reads. The
 * later one is retried and sees what the first did (docs/storage.md, "One by one, or together"). The number of
 * documents for it is limited, so two things that share one conflict needlessly.
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

/** Key for all locales of a document: their shared values, and which is the last one. */
const localesOf = (collection: string, documentId: string): string => `${collection} ${documentId}`

/**
 * Call it before a version is deleted. If two writes delete the last two versions of a document, one of them must see
 * that its version is the last. `collection` is that of the drafts.
 */
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

/** Returns keys of the things that a save decides about but does not write. */
export function claimsOf(plan: SavePlan): readonly string[] {
  const { main, shared, documentId, joins, claims = [] } = plan
  return [
    ...claims,
    ...(joins === true || shared.length > 0 ? [localesOf(main.collection, documentId)] : []),
    ...newlyListed(plan).map(({ collection, field, locale, target }) =>
      claimFilter(collection, field, locale, target),
    ),
  ]
}

/** Key for which list has a target of an exclusive relation. */
const claimFilter = (
  collection: string,
  field: string,
  locale: string | null,
  target: string,
): string => [collection, field, locale, target].join(' ')

const slotOf = (thing: string): number =>
  createHash('sha256').update(thing).digest().readUInt32BE() % slots
