import type { OwnerWrite, Release, SavePlan } from './write-plan.js'
import type { UnitOfWork } from '../../database/unit-of-work.js'
import { refusedIndex } from '../../database/duplicate-key.js'
import { executeOwner } from './execute-owners.js'
import { isFree, leaveFree, releaseTarget, takeFromLists } from './execute-release.js'
import type { Fields, Reference } from '../../values/stored-types.js'

/** What one step did about the exclusive relations that it writes. */
export type Refused = Readonly<{
  /** The fields of the index that refused, undefined where it went well. */
  refused: readonly string[] | undefined
  /** References that somebody else has, left out until nothing can refuse the whole any more. */
  references: readonly string[]
}>

/**
 * Runs a write; where the index of an exclusive relation refuses it, once more without those relations.
 * Whoever has their targets keeps them until `takeOver`, so that a write that is refused in the end has
 * taken nothing from anybody.
 * @param write gets the stored names of relations to leave as they are
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
 * Before a transaction writes a version: takes what relations that hold one connect from its former owners. What
 * refuses the write undoes that.
 * @returns the stored names of those whose target another owner connected later and keeps
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
 * Takes what exclusive relations connect from its former owners, and gives them what was held back.
 * @param fields of the version that was written, with what was held back
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
    // Of a oneToOne its index makes sure: what was not held back is nobody else's.
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
