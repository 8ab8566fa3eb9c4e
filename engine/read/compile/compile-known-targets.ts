import type { Document } from 'mongodb'
import { dependsOnParent } from './compile-lookup.js'
import type { Link } from '../plan/read-plan.js'

/** The targets of a to-many relation: the distinct combinations of their values, and the combination of each target. */
export type KnownTargets = Readonly<{
  /** The targets' keys, and in the same order the index of each target's combination. */
  keys: readonly string[]
  places: readonly number[]
  combinations: readonly Document[]
}>

/** Expression: the key of a target. */
export function compileTargetKey(link: Link, documentId: string): unknown {
  return dependsOnParent(link) ? { $concat: [documentId, ' ', '$locale'] } : documentId
}

/** The index of a missing target. */
const nowhere = -1

/** Expression: the sorted set of combination indexes of an entry's targets. Equal sets compare as equal. */
export function compilePlaces(link: Link, { keys, places }: KnownTargets): Document {
  const references = `$${link.path}.documentId`
  const found = { $indexOfArray: [{ $literal: keys }, compileTargetKey(link, '$$this')] }
  // `$indexOfArray` returns -1 for a missing key, which `$arrayElemAt` takes as the last element.
  const place = { $arrayElemAt: [{ $literal: [...places, nowhere] }, found] }
  const all = { $map: { input: references, in: place } }
  const set = { $setUnion: [{ $setDifference: [all, [nowhere]] }] }
  return { $cond: [{ $isArray: [references] }, set, []] }
}

/** Expression: the distinct combinations at some indexes. */
export function compileCombinations({ combinations }: KnownTargets, places: string): Document {
  const combination = { $arrayElemAt: [{ $literal: combinations }, '$$this'] }
  // Numbers of several types may be equal, so the database removes duplicates.
  return { $setUnion: [{ $map: { input: places, in: combination } }] }
}
