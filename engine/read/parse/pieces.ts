import type { Count } from './bounds.js'

/** Splits a string at a separator. Yields the pieces lazily, so a caller can stop at a limit. */
function* piecesOf(text: string, separator: string): Generator<string, void, undefined> {
  let from = 0
  for (let to = text.indexOf(separator); to >= 0; to = text.indexOf(separator, from)) {
    yield text.slice(from, to)
    from = to + separator.length
  }
  yield text.slice(from)
}

/** Yields the trimmed members of a comma-separated list, and counts each member. Skips empty members. */
export function* membersOf(list: string, count: Count): Generator<string, void, undefined> {
  for (const piece of piecesOf(list, ',')) {
    count()
    const member = piece.trim()
    if (member !== '') yield member
  }
}

/**
 * Splits `author.name:desc` into a path and the word after its colon, if there is one.
 * @param colonNames attributes whose names contain a colon
 */
export function splitWord(
  text: string,
  colonNames: ReadonlySet<string>,
): readonly [path: string, word?: string] {
  const at = colonNames.size === 0 ? 0 : text.lastIndexOf('.') + 1
  const last = text.slice(at)
  if (!last.includes(':') || colonNames.has(last)) return [text]
  const end = last.lastIndexOf(':')
  const colon = at + (colonNames.has(last.slice(0, end)) ? end : last.indexOf(':'))
  return [text.slice(0, colon), text.slice(colon + 1)]
}

/** Yields the names of a path, such as `author` and `avatar` for `author.avatar`. Skips empty names. */
export function* namesOf(path: string): Generator<string, void, undefined> {
  for (const name of piecesOf(path, '.')) if (name !== '') yield name
}
