import type { Db } from 'mongodb'
import { sharedFields } from './write/change/shared-attributes.js'
import { repairLists } from './repair/two-owners.js'
import { findStranded, repairLeftLocale } from './repair/without-locale.js'
import { repairLocales } from './repair/locales-differ.js'
import { finishPublishes } from './repair/unfinished-publishes.js'
import { repairReferences } from './repair/missing-targets.js'
import { repairListed } from './repair/references-differ.js'
import type { UniquesCheck } from './repair/list-uniques.js'
import { listUniques } from './repair/list-uniques.js'
import { repairMarks } from './repair/mark-drafts.js'
import { repairVersions } from './repair/published-without-draft.js'
import type { GoneCheck } from './repair/gone-documents.js'
import { removeGone, repairGone } from './repair/gone-documents.js'
import type { Finding as Found, DocumentFilter, Repairing } from './repair/repairing.js'
import { chunks } from './repair/repairing.js'
import { planRepair } from './repair/plan-repair.js'
import { planRemovals, planRemoval } from './write/plan/plan-removal.js'
import type { ListTargets, AffectedData as Touches } from './write/plan/write-plan.js'
import type { Registry } from './schema/registry.js'
import { typeOf } from './schema/registry.js'
import type { ContentType } from './schema/content-type.js'
import { collectionOf } from './schema/content-type.js'

/** A problem in the content, and whether it was repaired. */
export type Finding = Found

/** The record of a write in the in-flight log, stored before its first step. */
export type AffectedData = Touches

export type RepairOptions = Readonly<{
  db: Db
  registry: Registry
  /** False = only report problems. */
  repairs: boolean
  found: (finding: Finding) => void
  /** Stops the repair between two batches. */
  signal?: AbortSignal
}>

/**
 * Finds and repairs the remains of interrupted writes by the nine rules of docs/internals/storage.md, "The rules of
 * writing". It may run while the service runs, because it only changes data that is still as it was read. It pauses
 * after each batch for as long as the batch took.
 */
export async function repairContent(options: RepairOptions): Promise<void> {
  const { registry } = options
  const pause = restBetween(options.signal)
  const repairing: Repairing = { ...options, seen: new Map(), pause }
  const plan = planRepair(registry, sharedFields)
  // Remove the remains of deleted documents first, so that `repairReferences` finds all references to them.
  for (const check of plan.versions) await repairVersions(repairing, check)
  for (const check of plan.references) await repairReferences(repairing, check, planRemoval)
  for (const check of plan.shared) await repairLocales(repairing, check)
  for (const check of plan.versions) await finishPublishes(repairing, registry, check)
  for (const check of plan.lists) await repairLists(repairing, check)
  for (const check of plan.localized) await findStranded(repairing, check)
  for (const check of plan.versions) await repairMarks(repairing, check)
  for (const check of plan.listed) await repairListed(repairing, check)
  for (const check of plan.uniques) await repairUniques(repairing, check)
}

/** Repairs the lists of unique values. Only programs other than Quire can leave them wrong. */
async function repairUniques(
  { db, repairs, found, pause }: Repairing,
  check: UniquesCheck,
): Promise<void> {
  const { collection } = check
  const wrong = (documentId: string): void =>
    found({ kind: 'uniques-differ', collection, documentId, repaired: repairs })
  await listUniques(db, check, { repairs, wrong, pause })
}

/** Repairs only the `_modified` marks of drafts. Unlike `repairContent`, it does not read all content. */
export async function repairModified(options: RepairOptions): Promise<void> {
  const pause = restBetween(options.signal)
  const repairing: Repairing = { ...options, seen: new Map(), pause }
  for (const check of planRepair(options.registry, sharedFields).versions)
    await repairMarks(repairing, check)
}

/**
 * Repairs what interrupted writes of some documents left behind. Finds these documents and the references to them by
 * indexes, so the duration does not depend on the amount of content (docs/internals/storage.md, "Records of writes in
 * flight").
 * @param affected what the writes recorded. Types that no longer exist are skipped
 */
export async function repairAffected(
  options: RepairOptions,
  affected: readonly AffectedData[],
): Promise<void> {
  const { registry, repairs } = options
  const repairing: Repairing = { ...options, seen: new Map(), pause: restBetween(options.signal) }
  const plan = planRepair(registry, sharedFields)
  const goneOf = (type: ContentType): GoneCheck => checkOfGone(registry, type)
  for (const locale of new Set(affected.flatMap((one) => one.locale ?? [])))
    for (const check of plan.localized) {
      const gone = goneOf(typeOf(registry, check.uid))
      await repairLeftLocale(repairing, check, locale, async (ids) => {
        // A document counts as deleted only after its last version is removed.
        if (repairs) await repairGone(repairing, gone, ids)
      })
    }
  for (const [uid, documentIds] of documentsOf(affected)) {
    const type = registry.contentTypes.get(uid)
    if (type === undefined) continue
    const gone = goneOf(type)
    const isOf = (check: Readonly<{ uid: string }>): boolean => check.uid === uid
    for (const some of chunks(documentIds)) {
      const only: DocumentFilter = { documentId: { $in: [...some] } }
      for (const check of plan.versions.filter(isOf)) await repairVersions(repairing, check, only)
      await repairGone(repairing, gone, some)
      for (const check of plan.shared.filter(isOf)) await repairLocales(repairing, check, only)
      for (const check of plan.versions.filter(isOf)) {
        await finishPublishes(repairing, registry, check, only)
        await repairMarks(repairing, check, only)
      }
      await repairing.pause()
    }
  }
  const lists = affected.flatMap((one) => one.lists)
  for (const check of plan.lists) {
    const isSame = (one: ListTargets): boolean =>
      one.collection === check.collection && one.field === check.field
    const targets = lists.filter(isSame).flatMap((one) => one.targets)
    if (targets.length > 0) await repairLists(repairing, check, targets)
  }
}

/**
 * Removes references to deleted documents in batches, and pauses after each for as long as it took. Any process can
 * repeat an interrupted removal. Until it ends, readers ignore these references.
 * @param affected what the deletes recorded. Documents that still exist are skipped
 */
export async function removeReferencesTo(
  options: Pick<RepairOptions, 'db' | 'registry' | 'signal'>,
  affected: readonly AffectedData[],
): Promise<void> {
  const { db, registry, signal } = options
  const pause = restBetween(signal)
  for (const [uid, documentIds] of documentsOf(
    affected.filter(({ deleted }) => deleted === true),
  )) {
    const type = registry.contentTypes.get(uid)
    if (type === undefined) continue
    const check = checkOfGone(registry, type)
    for (const some of chunks(documentIds)) await removeGone({ db, pause }, check, some)
  }
}

const checkOfGone = (registry: Registry, type: ContentType): GoneCheck => ({
  authority: collectionOf(type, 'draft'),
  removalsOf: (ids) => planRemovals(registry, type, ids),
})

/** Groups the distinct documentIds by content-type. */
function documentsOf(affected: readonly AffectedData[]): ReadonlyMap<string, readonly string[]> {
  const byType = new Map<string, Set<string>>()
  for (const { uid, documentId } of affected) {
    const known = byType.get(uid) ?? new Set()
    byType.set(uid, known.add(documentId))
  }
  return new Map([...byType].map(([uid, ids]) => [uid, [...ids]]))
}

/** Like `repairContent`, but only for references to nonexistent documents of one type. */
export async function removeMissingTargets(options: RepairOptions, uid: string): Promise<void> {
  const pause = restBetween(options.signal)
  const repairing: Repairing = { ...options, seen: new Map(), pause }
  for (const { collection, paths } of planRepair(options.registry, sharedFields).references) {
    const leading = paths.flatMap((path) => {
      const targets = path.targets.filter((target) => target.uid === uid)
      return targets.length === 0 ? [] : [{ ...path, targets }]
    })
    if (leading.length > 0)
      await repairReferences(repairing, { collection, paths: leading }, planRemoval)
  }
}

/** Returns a function that pauses for as long as the last batch took. */
function restBetween(signal: AbortSignal | undefined): () => Promise<void> {
  let since = performance.now()
  return async () => {
    signal?.throwIfAborted()
    await new Promise((resolve) => setTimeout(resolve, performance.now() - since))
    signal?.throwIfAborted()
    since = performance.now()
  }
}
