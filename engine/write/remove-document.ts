import type { Db } from 'mongodb'
import { checkPrecondition } from './change/precondition.js'
import { versionIn } from './change/change.js'
import { fail } from '../errors.js'
import { executeDelete, executeRemovals, exists } from './steps/execute-delete.js'
import { inTurn } from '../database/in-turn.js'
import { planRemovals } from './steps/plan-delete.js'
import { readVersions } from './save-document.js'
import type { ContentType } from '../schema/content-type.js'
import { collectionOf, collectionsOf } from '../schema/content-type.js'
import type { Registry } from '../schema/registry.js'
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
}>

const maxAttempts = 5

/**
 * Deletes a document's versions in a locale or in all of them; with its last version, the references
 * to it. There need not be any.
 * @returns whether the document is gone altogether
 * @throws ApiError 412 where `ifRevision` does not hold, 409 after five attempts
 */
export async function removeDocument(input: RemoveInput): Promise<boolean> {
  const { db, type, registry, documentId, listed = false } = input
  const remove = async (): Promise<boolean> => {
    await removeVersions(input)
    if (await exists(db, collectionOf(type, 'draft'), documentId)) return false
    await executeRemovals(db, planRemovals(registry, type, documentId, { listed }))
    return true
  }
  return inTurn(db, `${type.uid} ${documentId}`, remove, input.time)
}

async function removeVersions(input: RemoveInput): Promise<void> {
  const { db, type, documentId, locale } = input
  const plan = { documentId, locale, collections: collectionsOf(type) }
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    const revision = await guardedRevision(input)
    const guard = revision === undefined ? {} : { ifRevision: revision }
    if ((await executeDelete(db, { ...plan, ...guard })) === 'deleted') return
  }
  throw fail('conflict')
}

/** The revision of the draft that a condition on the published version holds for; undefined without one. */
async function guardedRevision({
  db,
  type,
  documentId,
  locale,
  ifRevision,
  publishingMs,
}: RemoveInput): Promise<number | undefined> {
  if (ifRevision === undefined) return undefined
  const versions = await readVersions(db, type, documentId)
  checkPrecondition({ type, locale, publish: true, publishingMs }, versions, ifRevision)
  return versionIn(versions.current, locale)?._revision
}
