import { createHash } from 'node:crypto'
import { claims } from '../../database/own-collections.js'
import type { UnitOfWork } from '../../database/unit-of-work.js'
import { newlyListed } from '../plan/plan-relations.js'
import type { SavePlan } from '../plan/write-plan.js'

const slots = 65_536

/**
 * Lets transactions conflict if they decide about the same thing, such as which entry gets a target of an exclusive
 * relation, even if neither writes what the other reads. The later one is retried and sees the changes of the first
 * (docs/internals/storage.md, "Transactions"). Because the number of claim documents is limited, unrelated transactions
 * may conflict as well.
 * @param things keys of what the transaction decides about
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

/** Key for decisions about all locales: shared values, and whether a deleted version is the last of a document. */
const localesOf = (collection: string, documentId: string): string => `${collection} ${documentId}`

/**
 * Call this before versions are deleted in a transaction. If two transactions delete the last two versions of a
 * document, one of them then sees that its version is the last.
 * @param collection collection of the drafts
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

/** Returns the keys that a save must claim, because it decides about things that it does not write itself. */
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

/** Key for the decision which entry gets a target in an exclusive relation. */
const claimFilter = (
  collection: string,
  field: string,
  locale: string | null,
  target: string,
): string => [collection, field, locale, target].join(' ')

const slotOf = (thing: string): number =>
  createHash('sha256').update(thing).digest().readUInt32BE() % slots
