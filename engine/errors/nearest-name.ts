import { distance } from 'fastest-levenshtein'

/**
 * Returns the known name that was probably meant, ignoring case. Allows two typos in names of five letters or more, one
 * in names of three or four, none in shorter ones, and more in long ones (a fifth of the letters). Returns undefined if
 * the given name is itself known: then it is used in the wrong place.
 */
export function nearestName(given: string, known: Iterable<string>): string | undefined {
  const names = [...known]
  if (names.includes(given) || given.length > 64) return undefined
  if (names.includes(`$${given}`)) return `$${given}`
  const { length } = given
  let maxDistance = Math.max(Math.min(2, Math.floor(length / 2.5)), Math.floor(length / 5))
  let nearest: string | undefined
  for (const name of names) {
    const distanceTo = editDistance(given.toLowerCase(), name.toLowerCase())
    if (distanceTo > maxDistance || distanceTo >= name.length) continue
    nearest = name
    // Of several names that are equally close, the first is returned.
    maxDistance = distanceTo - 1
  }
  return nearest
}

/** Returns the nearest known name as `suggestion`, for an error's `details`. */
export function suggestionFor(given: string, known: Iterable<string>): { suggestion?: string } {
  const suggestion = nearestName(given, known)
  return suggestion === undefined ? {} : { suggestion }
}

/** Returns the end of an error message, such as `; did you mean "title"?`, or an empty string. */
export function didYouMean(given: string, known: Iterable<string>, quote = '"'): string {
  const name = nearestName(given, known)
  return name === undefined ? '' : `; did you mean ${quote}${name}${quote}?`
}

/** Counts extra, missing and wrong letters. Two neighbouring letters that are swapped count as one typo. */
function editDistance(a: string, b: string): number {
  const edits = distance(a, b)
  if (a.length !== b.length) return edits
  let others = 0
  for (let at = 0; at < a.length; at += 1) {
    if (a[at] === b[at]) continue
    others += 1
    if (a[at] === b[at + 1] && a[at + 1] === b[at]) at += 1
  }
  return Math.min(edits, others)
}
