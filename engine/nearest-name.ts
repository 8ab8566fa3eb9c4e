import { closest, distance } from 'fastest-levenshtein'

/** The member of an error's `details` that names what was probably meant; nothing where no name is near. */
export function suggestionFor(key: string, known: Iterable<string>): { suggestion?: string } {
  const suggestion = nearestName(key, known)
  return suggestion === undefined ? {} : { suggestion }
}

/** The known name that was probably meant: at most two typing errors away, and not a short name's every letter. */
function nearestName(key: string, known: Iterable<string>): string | undefined {
  const names = [...known]
  // A name that is known was meant; it is refused for where it stands.
  if (names.length === 0 || names.includes(key) || key.length > 64) return undefined
  if (names.includes(`$${key}`)) return `$${key}`
  const name = closest(key, names)
  return distance(key, name) <= Math.min(2, Math.floor(key.length / 2.5)) ? name : undefined
}
