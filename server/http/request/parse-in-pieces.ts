import { fail } from '../../../engine/errors.js'
import { loopTurns } from './loop-turns.js'

type Path = readonly (string | number)[]

/**
 * Parses one piece of a JSON text; the piece is itself complete JSON.
 * @param offset position of the piece in the whole text
 * @param path path of the piece's value in the whole value
 * @param firstIndex index of the piece's first item in its list
 */
type ParsePiece = (text: string, offset: number, path: Path, firstIndex: number) => unknown

/**
 * Parses a JSON object or array, and yields to the event loop between pieces. A piece holds the members that fit into
 * `length` characters, or one longer member. Throws `syntax`, or an error of `parse`.
 */
export async function parseInPieces(
  text: string,
  length: number,
  parse: ParsePiece,
): Promise<unknown> {
  const turns = loopTurns()
  const pause = async (): Promise<void> => {
    while (turns.isOver()) await turns.next()
  }
  /** Parses the object or array at `start`. Returns its value, and the position after it. */
  const parseContainer = async (start: number, path: Path): Promise<readonly [unknown, number]> => {
    const isList = text[start] === '['
    const [open, close] = isList ? ['[', ']'] : ['{', '}']
    const list: unknown[] = []
    const object: Record<string, unknown> = {}
    const add = async (from: number, to: number, isOnly: boolean): Promise<void> => {
      await pause()
      const members = text.slice(from, to)
      // A piece may be empty only if it is the only one: `[]` is JSON, but `[1,]` is not.
      if (!isOnly && members.trim() === '') throw unexpected(text, to)
      const piece = parse(`${open}${members}${close}`, from - 1, path, list.length)
      if (isList) for (const item of piece as unknown[]) list.push(item)
      else Object.assign(object, piece)
    }
    /**
     * Adds a member that is longer than a piece. If its value is an object or array, parses the value in pieces too.
     */
    const addLarge = async (from: number, to: number): Promise<void> => {
      const { key, valueAt } = isList ? { key: list.length, valueAt: from } : keyAt(text, from)
      const begin = skipSpace(text, valueAt)
      const isContainer = text[begin] === '[' || text[begin] === '{'
      if (key === undefined || !isContainer || path.length >= maxLevels) return add(from, to, true)
      const [value, end] = await parseContainer(begin, [...path, key])
      if (skipSpace(text, end) < to) throw unexpected(text, skipSpace(text, end))
      if (isList) list.push(value)
      else object[key] = value
    }
    let from = start + 1
    let member = from
    for (;;) {
      const end = endOfMember(text, member)
      const isLast = text[end] !== ','
      if (end - member > length) {
        if (member > from) await add(from, member - 1, false)
        await addLarge(member, end)
        from = end + 1
      } else if (isLast || end - from > length) {
        await add(from, end, isLast && from === start + 1)
        from = end + 1
      }
      // Check the end only after parsing the members, because errors in the members are more precise.
      if (isLast && text[end] !== close) throw unexpected(text, end)
      if (isLast) return [isList ? list : object, end + 1]
      member = end + 1
    }
  }
  const [value, end] = await parseContainer(skipSpace(text, 0), [])
  if (skipSpace(text, end) < text.length)
    throw fail(
      'syntax',
      `Unexpected non-whitespace character after JSON at position ${skipSpace(text, end)}`,
    )
  return value
}

/** Maximum number of nested levels that are parsed in pieces. Each level requires another pass over the text. */
const maxLevels = 2

/**
 * Returns the key of a member and the position of its value. Omits a key with characters other than letters, digits and
 * `_`: then the position is that of the whole member.
 */
function keyAt(text: string, from: number): Readonly<{ key?: string; valueAt: number }> {
  const begin = skipSpace(text, from)
  const end = text[begin] === '"' ? endOfString(text, begin) : begin
  const colon = skipSpace(text, end)
  const key = text.slice(begin + 1, end - 1)
  // A member with any other key is parsed as a whole, which also checks the key.
  const isPlain = /^\w+$/.test(key) && key !== '__proto__'
  return isPlain && text[colon] === ':' ? { key, valueAt: colon + 1 } : { valueAt: from }
}

/** Returns where the member ends: at its comma, or at the end of its object or array. */
function endOfMember(text: string, from: number): number {
  let depth = 0
  for (let at = from; at < text.length; at += 1) {
    const character = text[at]
    if (character === '"') at = endOfString(text, at) - 1
    else if (character === '[' || character === '{') depth += 1
    else if (character === ']' || character === '}') {
      if (depth === 0) return at
      depth -= 1
    } else if (character === ',' && depth === 0) return at
  }
  return text.length
}

function endOfString(text: string, quote: number): number {
  // For long strings, `indexOf` is several times faster than a loop over the characters.
  for (let at = text.indexOf('"', quote + 1); at !== -1; at = text.indexOf('"', at + 1))
    if (backslashesBefore(text, at) % 2 === 0) return at + 1
  return text.length
}

/** Counts the backslashes directly before `end`, in a string whose opening quote stops the loop. */
function backslashesBefore(text: string, end: number): number {
  let from = end
  while (text[from - 1] === '\\') from -= 1
  return end - from
}

function skipSpace(text: string, from: number): number {
  let at = from
  while (at < text.length && ' \t\n\r'.includes(text[at] as string)) at += 1
  return at
}

const unexpected = (text: string, at: number): Error =>
  fail(
    'syntax',
    at < text.length
      ? `Unexpected token '${text[at]}' in JSON at position ${at}`
      : 'Unexpected end of JSON input',
  )
