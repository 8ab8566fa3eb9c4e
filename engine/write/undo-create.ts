import type { UnitOfWork } from '../database/unit-of-work.js'
import { claimLocales } from './steps/claim.js'
import { executeDelete, executeRemovals, exists } from './steps/execute-delete.js'
import type { UnderwayLog } from './steps/record-underway.js'
import { recordUnderway } from './steps/record-underway.js'
import { planRemovals } from './steps/plan-delete.js'
import type { ContentType } from '../schema/content-type.js'
import { collectionOf, collectionsOf } from '../schema/content-type.js'
import type { Registry } from '../schema/registry.js'

type Created = Readonly<{
  underway?: UnderwayLog | undefined
  registry: Registry
  type: ContentType
  documentId: string
  locale: string | null
}>

/**
 * Takes back versions that a write has just made in a locale, and references to the document where they were
 * its only ones. What somebody wrote since stays: its revision may have been moved on by steps of the write itself,
 * or from the other side of a relation, and when it was updated is moved on by a write of its own alone.
 * @param madeAt when the draft or only version was made, in milliseconds since 1970
 * @returns whether nothing is left of it
 */
export async function undoCreate(
  unit: UnitOfWork,
  { registry, type, documentId, locale, underway }: Created,
  madeAt: number,
): Promise<boolean> {
  const collections = collectionsOf(type)
  if (type.localized) await claimLocales(unit, collectionOf(type, 'draft'), [documentId])
  await recordUnderway(unit, underway, { uid: type.uid, documentId, lists: [], deleted: true })
  const plan = { documentId, locale, collections, ifUpdatedAt: new Date(madeAt) }
  if ((await executeDelete(unit, plan)) === 'stale') return false
  if (await exists(unit, collectionOf(type, 'draft'), documentId)) return true
  if (underway === undefined)
    await executeRemovals(unit, planRemovals(registry, type, [documentId]))
  return true
}
