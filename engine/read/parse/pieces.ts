import type { Count } from './bounds.js'

/** Splits lazily, so that the caller can stop at a limit. */
function* piecesOf(text: string, separator: string): Generator<string, void, undefined> {
  let from = 0
  for (let to = text.indexOf(separator); to >= 0; to = text.indexOf(separator, from)) {
    yield text.slice(from, to)
    from = to + separator.length
  }
  yield text.slice(from)
}

/** Yields and counts the trimmed members of a comma-separated list. Skips empty members. */
export function* membersOf(list: string, count: Count): Generator<string, void, undefined> {
  for (const piece of piecesOf(list, ',')) {
    count()
    const member = piece.trim()
    if (member !== '') yield member
  }
}

/** Splits `author.name:desc` at the colon. `colonNames` are attributes whose names contain a colon. */
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

/** Yields the names in a path such as `author.avatar`. Skips empty names. */
export function* namesOf(path: string): Generator<string, void, undefined> {
  for (const name of piecesOf(path, '.')) if (name !== '') yield name
}
