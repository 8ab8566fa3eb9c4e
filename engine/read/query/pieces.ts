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

/** `author.avatar`: author and avatar. Names that are empty are passed over. */
export function* namesOf(path: string): Generator<string, void, undefined> {
  for (const name of piecesOf(path, '.')) if (name !== '') yield name
}
