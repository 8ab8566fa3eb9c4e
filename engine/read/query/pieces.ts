import type { Count } from './bounds.js'

/** The pieces of a text between separators, one at a time: who stops asking has not paid for the rest. */
function* piecesOf(text: string, separator: string): Generator<string, void, undefined> {
  let from = 0
  for (let to = text.indexOf(separator); to >= 0; to = text.indexOf(separator, from)) {
    yield text.slice(from, to)
    from = to + separator.length
  }
  yield text.slice(from)
}

/** The members of a list with commas, each counted and without the blanks around it. Empty ones are passed over. */
export function* membersOf(list: string, count: Count): Generator<string, void, undefined> {
  for (const piece of piecesOf(list, ',')) {
    count()
    const member = piece.trim()
    if (member !== '') yield member
  }
}

/**
 * `author.name:desc` to a path and the word behind its colon, if there is one.
 * @param colonNames names of attributes that hold colons themselves
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

/** `author.avatar`: author and avatar. Names that are empty are passed over. */
export function* namesOf(path: string): Generator<string, void, undefined> {
  for (const name of piecesOf(path, '.')) if (name !== '') yield name
}
