import type { Db } from 'mongodb'
import { checkPrecondition } from './change/precondition.js'
import { versionIn } from './change/change.js'
import { fail } from '../errors.js'
import type { UnitOfWork } from '../database/unit-of-work.js'
import { inUnit } from '../database/unit-of-work.js'
import { claimLocales } from './steps/claim.js'
import { executeDelete, executeRemovals, exists } from './steps/execute-delete.js'
import { inTurn } from '../database/in-turn.js'
import type { UnderwayLog } from './steps/record-underway.js'
import { recordUnderway } from './steps/record-underway.js'
import { planRemovals } from './steps/plan-delete.js'
import { readVersions } from './read-versions.js'
import type { ContentType } from '../schema/content-type.js'
import { collectionOf, collectionsOf } from '../schema/content-type.js'
import type { Registry } from '../schema/registry.js'
import type { Timeline } from '../timeline.js'
import { beginStage, inStage } from '../timeline.js'
import type { WriteTime } from './write-time.js'

export type RemoveInput = Readonly<{
  db: Db
  registry: Registry
  type: ContentType
  documentId: string
  /** `*` = all of them. */
  locale: string | null
  ifRevision?: number | undefined
  /** As in `WriteContext`. */
  listed?: boolean | undefined
  /** As in `WriteContext`. */
  publishingMs?: number | undefined
  time?: WriteTime | undefined
  timeline?: Timeline | undefined
  /** As in `WriteContext`. */
  underway?: UnderwayLog | undefined
  /** As in `WriteContext`. */
  transactions?: boolean | undefined
}>

const maxAttempts = 5

/**
 * Deletes a document's versions in a locale or in all of them; with its last version, the references
 * to it. There need not be any.
 * @returns whether the document is gone altogether
 * @throws ApiError 412 where `ifRevision` does not hold, 409 after five attempts
 */
export async function removeDocument(input: RemoveInput): Promise<boolean> {
  const { db, type, documentId } = input
  const begin = beginStage(input.timeline, 'queue')
  const remove = async (): Promise<boolean> => {
    begin()
    for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
      const removed = await inUnit(
        input,
        (unit) => inStage(input.timeline, 'steps', () => attemptRemove(unit, input)),
        (result) => result !== 'stale',
      )
      if (removed !== 'stale') return removed === 'gone'
    }
    throw fail('conflict')
  }
  return inTurn(db, `${type.uid} ${documentId}`, remove, input.time)
}

/** `left`: of a document that is there in other locales. */
async function attemptRemove(
  unit: UnitOfWork,
  input: RemoveInput,
): Promise<'gone' | 'left' | 'stale'> {
  const { type, registry, documentId, locale, listed = false } = input
  const collections = collectionsOf(type)
  const authority = collectionOf(type, 'draft')
  if (type.localized) await claimLocales(unit, authority, documentId)
  const revision = await guardedRevision(unit, input)
  const removals = planRemovals(registry, type, [documentId], { listed })
  if (collections.length > 1 || removals.length > 0)
    await recordUnderway(unit, input.underway, { uid: type.uid, documentId, lists: [] })
  const guard = revision === undefined ? {} : { ifRevision: revision }
  const plan = { documentId, locale, collections, ...guard }
  if ((await executeDelete(unit, plan)) === 'stale') return 'stale'
  if (await exists(unit, authority, documentId)) return 'left'
  await executeRemovals(unit, removals)
  return 'gone'
}

/** The revision of the draft that a condition on the published version holds for; undefined without one. */
async function guardedRevision(
  unit: UnitOfWork,
  { type, documentId, locale, ifRevision, publishingMs }: RemoveInput,
): Promise<number | undefined> {
  if (ifRevision === undefined) return undefined
  const versions = await readVersions(unit, type, documentId)
  checkPrecondition({ type, locale, publish: true, publishingMs }, versions, ifRevision)
  return versionIn(versions.current, locale)?._revision
}
