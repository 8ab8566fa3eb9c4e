import { createHash } from 'node:crypto'
import { claims } from '../../database/own-collections.js'
import type { UnitOfWork } from '../../database/unit-of-work.js'
import { newlyListed } from '../plan/affected-by.js'
import type { SavePlan } from '../plan/write-plan.js'

const slots = 65_536

/**
 * Makes two transactions conflict if they decide about the same thing, even if neither writes what the other reads. The
 * later transaction is retried and sees the changes of the first (docs/storage.md, "One by one, or together"). The
 * number of claim documents is limited. Transactions also conflict if different things share a claim document.
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

/** Key of decisions about all locales of a document: about their shared values, and about which version is the last. */
const localesOf = (collection: string, documentId: string): string => `${collection} ${documentId}`

/**
 * Call it before a version is deleted. If two writes delete the last two versions of a document, one of them must see
 * that its version is the last. `collection` is the collection of the drafts.
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

/** Returns the keys of what a save decides about but does not write. */
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

/** Key of the decision which list of an exclusive relation has a target. */
const claimFilter = (
  collection: string,
  field: string,
  locale: string | null,
  target: string,
): string => [collection, field, locale, target].join(' ')

const slotOf = (thing: string): number =>
  createHash('sha256').update(thing).digest().readUInt32BE() % slots
