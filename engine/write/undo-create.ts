import type { UnitOfWork } from '../database/unit-of-work.js'
import { claimLocales } from './execute/claim.js'
import { executeDelete, executeRemovals, exists } from './execute/execute-delete.js'
import type { WriteJournal } from './execute/record-in-flight.js'
import { recordInFlight } from './execute/record-in-flight.js'
import { planRemovals } from './plan/plan-delete.js'
import type { ContentType } from '../schema/content-type.js'
import { collectionOf, collectionsOf } from '../schema/content-type.js'
import type { Registry } from '../schema/registry.js'

type Created = Readonly<{
  journal?: WriteJournal | undefined
  registry: Registry
  type: ContentType
  documentId: string
  locale: string | null
}>

/**
 * Removes versions that a write has just created in a locale, and references to the document if they were its only
 * ones. Versions that were written since are kept. This is detected by `updatedAt`, because only a write of the version
 * itself changes it. The revision also rises by later steps of the same write, and from the inverse side of a relation.
 * @param madeAt when the draft or only version was created, in milliseconds since 1970
 * @returns whether nothing is left of it
 */
export async function undoCreate(
  unit: UnitOfWork,
  { registry, type, documentId, locale, journal }: Created,
  madeAt: number,
): Promise<boolean> {
  const collections = collectionsOf(type)
  if (type.localized) await claimLocales(unit, collectionOf(type, 'draft'), [documentId])
  await recordInFlight(unit, journal, { uid: type.uid, documentId, lists: [], deleted: true })
  const plan = { documentId, locale, collections, ifUpdatedAt: new Date(madeAt) }
  if ((await executeDelete(unit, plan)) === 'stale') return false
  if (await exists(unit, collectionOf(type, 'draft'), documentId)) return true
  if (journal === undefined) await executeRemovals(unit, planRemovals(registry, type, [documentId]))
  return true
}
