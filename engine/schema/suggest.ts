import { distance } from 'fastest-levenshtein'

/** `; did you mean "title"?` where a candidate is near enough to be a slip of the pen, else nothing. */
export function suggest(given: string, candidates: Iterable<string>): string {
  let nearest: string | undefined
  let least = Math.max(2, Math.floor(given.length / 3)) + 1
  for (const candidate of candidates) {
    const edits = distance(given.toLowerCase(), candidate.toLowerCase())
    // Never as many edits as there are letters: `ab` is no slip of `xy`.
    if (edits < least && edits < candidate.length) {
      least = edits
      nearest = candidate
    }
  }
  return nearest === undefined ? '' : `; did you mean "${nearest}"?`
}
