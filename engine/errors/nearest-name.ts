import { distance } from 'fastest-levenshtein'

/**
 * Returns the known name that was probably meant, ignoring case. The given name may have at most two typos, or for a
 * long name typos in a fifth of its letters, but never in all letters. Returns undefined if no name is close. Also
 * returns undefined for a known name, because the mistake is then its position.
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
    // If several names are equally close, return the first.
    maxDistance = distanceTo - 1
  }
  return nearest
}

/** Returns the nearest name as a member of an error's `details`. */
export function suggestionFor(given: string, known: Iterable<string>): { suggestion?: string } {
  const suggestion = nearestName(given, known)
  return suggestion === undefined ? {} : { suggestion }
}

/** Returns the end of a message, `; did you mean "title"?`, or an empty text. */
export function didYouMean(given: string, known: Iterable<string>, quote = '"'): string {
  const name = nearestName(given, known)
  return name === undefined ? '' : `; did you mean ${quote}${name}${quote}?`
}

/** Counts typos: extra, missing or wrong letters. Two swapped neighbours are one typo. */
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
