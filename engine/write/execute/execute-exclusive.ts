import type { OwnerWrite, TargetRemoval, SavePlan } from '../plan/write-plan.js'
import type { UnitOfWork } from '../../database/unit-of-work.js'
import { refusedIndex } from '../../database/duplicate-key.js'
import { executeOwner } from './execute-owners.js'
import { isFree, leaveFree, releaseTarget, takeFromLists } from './execute-release.js'
import type { Fields, Reference } from '../../values/stored-types.js'

/** Outcome of a step that writes exclusive relations. `refused` names the fields of the index that rejected it. */
export type Refused = Readonly<{
  refused: readonly string[] | undefined
  /**
   * Stored names of relations whose target has another owner. These relations are written last, when nothing can reject
   * the save.
   */
  references: readonly string[]
}>

/**
 * If the unique index of an exclusive relation rejects a step, repeats it without the exclusive to-one relations. Their
 * targets stay with the previous owners until `takeOver`, so that a save that is rejected later takes none.
 * @param write gets the stored names of the relations to leave out
 */
export async function holdingBack(
  releases: readonly TargetRemoval[],
  write: (held: readonly string[]) => Promise<readonly string[] | void>,
): Promise<Refused> {
  const exclusive = releases.filter(({ many }) => !many).map(({ field }) => field)
  for (const references of [[], exclusive])
    try {
      return { refused: (await write(references)) ?? undefined, references }
    } catch (error) {
      const refused = refusedIndex(error)
      if (refused === undefined) throw error
      const isHeld = exclusive.some((field) => refused[0] === `${field}.documentId`)
      if (!isHeld || references.length > 0) return { refused, references }
    }
  throw new Error('A write was neither done nor refused')
}

/**
 * Removes the targets of exclusive to-one relations from their previous owners, before a transaction writes the new
 * owner. If the save is rejected, aborting the transaction gives them back.
 * @returns stored names of the relations whose target stays with another owner, because that owner connected it later
 */
export async function takeFirst(
  unit: UnitOfWork,
  releases: readonly TargetRemoval[],
  now: number,
): Promise<readonly string[]> {
  const kept: string[] = []
  for (const { many, targets, ...place } of releases) {
    const [target] = targets
    if (many || target === undefined) continue
    await releaseTarget(unit, place, target, now)
    if (!(await isFree(unit, place, target.documentId))) kept.push(place.field)
  }
  return kept
}

/**
 * Removes the targets of exclusive relations from their previous owners, then writes the relations that `holdingBack`
 * left out.
 * @param held stored names of the relations that were left out
 * @param fields planned fields of the version, including these relations
 * @returns the new revision of the version if this step changed it
 */
export async function takeOver(
  unit: UnitOfWork,
  { documentId, locale, now }: SavePlan,
  releases: readonly TargetRemoval[],
  held: readonly string[],
  fields: Fields,
): Promise<number | undefined> {
  let revision: number | undefined
  for (const release of releases) {
    // For to-one relations that were not left out, the unique index ensures that no other owner has the target.
    if (release.many) revision = (await takeFromLists(unit, release, now)) ?? revision
    else if (held.includes(release.field)) {
      const { collection, field, many } = release
      const { documentId: target, order } = fields[field] as Reference
      const place = { collection, documentId, locale, field, many }
      const write: OwnerWrite = { ...place, target, order, exclusive: false, ifFree: false }
      const written = await executeOwner(unit, write, now, true)
      const own = { collection, field, locale, except: documentId }
      revision = written ?? (await leaveFree(unit, own, order, now)) ?? revision
    }
  }
  return revision
}
