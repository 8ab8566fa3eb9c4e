import type { Document } from 'mongodb'
import { dependsOnHolder } from './compile-lookup.js'
import type { Link } from '../plan/read-plan.js'

/** What targets have behind a link to many: the different combinations of values, and which of them each target has. */
export type KnownTargets = Readonly<{
  /** What entries know the targets by, and in the same order the places of their combinations. */
  keys: readonly string[]
  places: readonly number[]
  combinations: readonly Document[]
}>

/** Expression: what an entry knows a target by. */
export function compileTargetKey(link: Link, documentId: string): unknown {
  return dependsOnHolder(link) ? { $concat: [documentId, ' ', '$locale'] } : documentId
}

/** Stands for a target that is not there. */
const nowhere = -1

/** Expression: the places of the combinations that an entry's targets have. Sets that are equal look the same. */
export function compilePlaces(link: Link, { keys, places }: KnownTargets): Document {
  const references = `$${link.path}.documentId`
  const found = { $indexOfArray: [{ $literal: keys }, compileTargetKey(link, '$$this')] }
  // What is not found is at -1, which is the last element.
  const place = { $arrayElemAt: [{ $literal: [...places, nowhere] }, found] }
  const all = { $map: { input: references, in: place } }
  const set = { $setUnion: [{ $setDifference: [all, [nowhere]] }] }
  return { $cond: [{ $isArray: [references] }, set, []] }
}

/** Expression: the different combinations at some places. */
export function compileCombinations({ combinations }: KnownTargets, places: string): Document {
  const combination = { $arrayElemAt: [{ $literal: combinations }, '$$this'] }
  // Of numbers several forms are equal, which only the database can tell.
  return { $setUnion: [{ $map: { input: places, in: combination } }] }
}
