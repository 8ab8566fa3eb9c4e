import type { OwnerWrite, Release, SavePlan } from '../plan/write-plan.js'
import type { UnitOfWork } from '../../database/unit-of-work.js'
import { refusedIndex } from '../../database/duplicate-key.js'
import { executeOwner } from './execute-owners.js'
import { isFree, leaveFree, releaseTarget, takeFromLists } from './execute-release.js'
import type { Fields, Reference } from '../../values/stored-types.js'

/** Result of one step for the exclusive relations that it writes. */
export type Refused = Readonly<{
  /** Fields of the index that refused; undefined if the step succeeded. */
  refused: readonly string[] | undefined
  /** Relations whose target has another owner. They are left out until nothing can refuse the write any more. */
  references: readonly string[]
}>

/**
 * Runs a write. If the index of an exclusive relation refuses it, retries without those relations. The targets stay
 * with their owners until `takeOver`, so that a write which is refused in the end has taken no targets.
 * @param write gets the stored names of relations to leave unchanged
 */
export async function holdingBack(
  releases: readonly Release[],
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
 * Takes the targets of to-one relations from their previous owners, before a transaction writes a version. If the write
 * is refused, the abort of the transaction returns the targets.
 * @returns the stored names of relations whose target another owner connected later and keeps
 */
export async function takeFirst(
  unit: UnitOfWork,
  releases: readonly Release[],
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
 * Takes the targets of exclusive relations from their previous owners, and then writes the relations that were left
 * out.
 * @param fields of the written version, including those that were left out
 * @returns the version's revision, if it was written again
 */
export async function takeOver(
  unit: UnitOfWork,
  { documentId, locale, now }: SavePlan,
  releases: readonly Release[],
  held: readonly string[],
  fields: Fields,
): Promise<number | undefined> {
  let revision: number | undefined
  for (const release of releases) {
    // For a oneToOne that was not held back, the index ensures that the target has no other owner.
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
