import { distance } from 'fastest-levenshtein'

/**
 * The known name that was probably meant, whatever the case of its letters: at most two slips of the pen
 * away, of a long name a fifth of its letters, and never a short name's every letter. Undefined where
 * no name is near, and where the name is known: then it is refused for where it stands.
 */
export function nearestName(given: string, known: Iterable<string>): string | undefined {
  const names = [...known]
  if (names.includes(given) || given.length > 64) return undefined
  if (names.includes(`$${given}`)) return `$${given}`
  const { length } = given
  let most = Math.max(Math.min(2, Math.floor(length / 2.5)), Math.floor(length / 5))
  let nearest: string | undefined
  for (const name of names) {
    const slips = slipsBetween(given.toLowerCase(), name.toLowerCase())
    if (slips > most || slips >= name.length) continue
    nearest = name
    // Of two that are as near, the first.
    most = slips - 1
  }
  return nearest
}

/** The same as the member of an error's `details` that names it. */
export function suggestionFor(given: string, known: Iterable<string>): { suggestion?: string } {
  const suggestion = nearestName(given, known)
  return suggestion === undefined ? {} : { suggestion }
}

/** `; did you mean "title"?`, the end of a message, or nothing. */
export function didYouMean(given: string, known: Iterable<string>, quote = '"'): string {
  const name = nearestName(given, known)
  return name === undefined ? '' : `; did you mean ${quote}${name}${quote}?`
}

/** Letters that are too many, missing or others; two neighbours that changed places are one slip. */
function slipsBetween(a: string, b: string): number {
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
