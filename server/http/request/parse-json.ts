import { plainDecimal } from '../../../engine/values/decimal.js'
import { fail } from '../../../engine/errors.js'
import { NumberText } from '../../../engine/values/number-text.js'
import { checkJsonBounds } from '../../../engine/values/scan-json.js'
import { parseInPieces } from './parse-in-pieces.js'

/**
 * Parses a JSON object or array with exact numbers. Returns undefined for blank text.
 * @throws `validation` or `limit-exceeded` if the text exceeds a limit; `syntax` if it is not an object or array
 * (docs/internals/strapi-behaviour.md, "Error messages")
 */
export function parseJson(text: string): unknown {
  checkJsonBounds(text)
  return isBlank(text) ? undefined : parseTrustedJson(text)
}

/** Parses JSON from the service itself with exact numbers, without checking depth and size. */
export const parseTrustedJson = (text: string): unknown => parsePiece(text, { exactNumbers: true })

/** Maximum number of characters to parse in one turn of the event loop. */
const pieceLength = 65_536

/**
 * Parses JSON that was checked against the limits while it arrived. Yields to the event loop between pieces.
 * @param exactNumbers whether numbers that a double would round become a `NumberText`
 */
export async function parseJsonInTurns(text: string, exactNumbers: boolean): Promise<unknown> {
  if (isBlank(text)) return undefined
  if (text.length <= pieceLength) return parsePiece(text, { exactNumbers })
  return parseInPieces(text, pieceLength, (piece, offset, path, firstIndex) =>
    parsePiece(piece, { exactNumbers, offset, path, firstIndex }),
  )
}

function isBlank(text: string): boolean {
  if (/^\s*[[{]/.test(text)) return false
  if (text.trim() === '') return true
  throw fail('syntax', 'invalid JSON, only supports object and array')
}

type Piece = Readonly<{
  exactNumbers: boolean
  offset?: number
  /**
   * The path of the piece's value. If that is a list, `firstIndex` is the index of its first item in the whole list.
   */
  path?: Path
  firstIndex?: number
}>

function parsePiece(text: string, piece: Piece): unknown {
  const { exactNumbers, offset = 0, path, firstIndex } = piece
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw syntaxError((error as SyntaxError).message, offset)
  }
  // `checkTree` rejects only values whose text contains `\u` or `__proto__`.
  if (/\\u|__proto__/.test(text)) checkTree(value, path, firstIndex)
  return exactNumbers ? withExactNumbers(value, text) : value
}

/**
 * Returns an error with the message of older V8 versions. Newer versions quote the text, which may contain a password.
 */
function syntaxError(message: string, offset: number): Error {
  const shown = message
    .replace(/ \(line \d+ column \d+\)$/, '')
    .replace(/, (?:\.\.\.)?".*"(?:\.\.\.)? is not valid JSON$/s, ' in JSON')
    .replace(/ at position (\d+)/, (_all, at: string) => ` at position ${Number(at) + offset}`)
  return fail('syntax', shown)
}

/** Matches every text with a number that a double may round. Most bodies do not match. */
const longNumber = /\d[\d.]{15}|\de[+-]?\d{3}/i
const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?/gi
/**
 * Prefix of a string that represents an exact number. No other string can begin with it, because `checkTree` rejects
 * lone surrogates.
 */
const mark = '\ud800'
const markedNumbers = /"\\ud800([^"]*)"/g

function withExactNumbers(value: unknown, text: string): unknown {
  if (!longNumber.test(text)) return value
  const marked = text.replace(tokens, (token) =>
    token.startsWith('"') || isDouble(token) ? token : JSON.stringify(mark + token),
  )
  return marked === text ? value : JSON.parse(marked, revive)
}

/** Serializes a value to JSON. Each `NumberText` becomes the number that the client wrote. */
export function toExactJson(value: unknown): string {
  const text = JSON.stringify(value, (_key, member: unknown) =>
    member instanceof NumberText ? mark + member.text : member,
  )
  return text.replace(markedNumbers, '$1')
}

function isDouble(token: string): boolean {
  return plainDecimal(token) === plainDecimal(String(Number(token)))
}

function revive(_key: string, value: unknown): unknown {
  return typeof value === 'string' && value.startsWith(mark)
    ? new NumberText(value.slice(1))
    : value
}

/**
 * Rejects `__proto__` and NUL in keys, and lone surrogates (docs/internals/decisions.md, "Nothing a client sends is a
 * 500"). Recursive, so check the depth of `root` first.
 * @param path path of `root` in the whole value
 * @param firstIndex if `root` is a piece of a list: index of its first item in the whole list
 */
export function checkTree(root: unknown, path: Path = [], firstIndex: number = 0): void {
  visit(root, [...path], firstIndex)
}

type Path = readonly (string | number)[]
/** Path of the visited value. The whole traversal shares and modifies one array. */
type WalkedPath = (string | number)[]

function visit(value: unknown, path: WalkedPath, firstIndex: number = 0): void {
  if (typeof value === 'string') checkText(value, path)
  if (typeof value !== 'object' || value === null) return
  if (Array.isArray(value)) {
    value.forEach((item, at) => visitAt(firstIndex + at, item, path))
    return
  }
  for (const [key, member] of Object.entries(value)) {
    checkKey(key, path)
    visitAt(key, member, path)
  }
}

function visitAt(key: string | number, member: unknown, path: WalkedPath): void {
  path.push(key)
  visit(member, path)
  path.pop()
}

function checkText(text: string, path: Path): void {
  if (text.isWellFormed()) return
  const place = path.join('.')
  throw wrongAt(place, `${place} must be well-formed Unicode text`)
}

function checkKey(key: string, path: Path): void {
  if (key === '__proto__') {
    throw fail('syntax', 'Object contains forbidden prototype property')
  }
  if (key.includes('\0') || !key.isWellFormed()) {
    const place = path.length === 0 ? null : path.join('.')
    throw wrongAt(place, `A key at ${place ?? 'the root'} must be well-formed text without NUL`)
  }
}

const wrongAt = (path: string | null, message: string): Error =>
  fail('validation', message, { path, source: 'body' })
