import { plainDecimal } from '../../engine/values/decimal.js'
import { fail } from '../../engine/errors.js'
import { NumberText } from '../../engine/values/number-text.js'

/** Most levels of arrays and objects in a body (docs/decisions.md, "Nothing a client sends is a 500"). */
const maxDepth = 100

/**
 * The value of a JSON body: an object or an array.
 * Throws `syntax` with V8's message for text that is not JSON, and for scalars and `__proto__` keys the
 * messages of docs/coming-from-strapi.md, "Error messages".
 */
export function parseJson(text: string): unknown {
  if (text.trim() === '') return undefined
  if (!/^\s*[[{]/.test(text)) {
    throw fail('syntax', { message: 'invalid JSON, only supports object and array' })
  }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    // Later versions of V8 append the line and the column, and show what is around the fault: a password, it may be.
    const message = (error as SyntaxError).message
      .replace(/ \(line \d+ column \d+\)$/, '')
      .replace(/, (?:\.\.\.)?".*"(?:\.\.\.)? is not valid JSON$/s, ' in JSON')
    throw fail('syntax', { message })
  }
  checkTree(value)
  return value
}

/** What a text must hold for one of its numbers to be longer than a double; most bodies do not. */
const longNumber = /\d[\d.]{15}|\de[+-]?\d{3}/i
/** The texts and numbers of JSON. */
const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?/gi
/** No text of a body begins with it: `checkTree` refuses lone surrogates. */
const mark = '\ud800'
/** As `JSON.stringify` writes it. */
const markedNumbers = /"\\ud800([^"]*)"/g

/** The same, with a `NumberText` for each number of which a double would lose digits. */
export function parseJsonExactly(text: string): unknown {
  const value = parseJson(text)
  if (!longNumber.test(text)) return value
  const marked = text.replace(tokens, (token) =>
    token.startsWith('"') || isDouble(token) ? token : JSON.stringify(mark + token),
  )
  return marked === text ? value : JSON.parse(marked, revive)
}

/** JSON of such a value, each number as it was written. */
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
 * Refuses what no part of the service could keep: nesting deeper than 100, `__proto__` and NUL in keys, and
 * lone surrogates, which are not text (docs/decisions.md, "Nothing a client sends is a 500").
 */
export function checkTree(root: unknown): void {
  visit(root, [])
}

type Path = (string | number)[]

/** `path` is shared by the whole walk, which leaves it as it found it. */
function visit(value: unknown, path: Path): void {
  if (typeof value === 'string') checkText(value, path)
  if (typeof value !== 'object' || value === null) return
  if (path.length >= maxDepth) {
    const begin = path.slice(0, 5).join('.')
    throw wrongAt(begin, `The body is nested deeper than ${maxDepth} levels at ${begin}`)
  }
  if (Array.isArray(value)) {
    value.forEach((item, at) => visitAt(at, item, path))
    return
  }
  for (const [key, member] of Object.entries(value)) {
    checkKey(key, path)
    visitAt(key, member, path)
  }
}

function visitAt(key: string | number, member: unknown, path: Path): void {
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
    throw fail('syntax', { message: 'Object contains forbidden prototype property' })
  }
  if (key.includes('\0') || !key.isWellFormed()) {
    const place = path.length === 0 ? null : path.join('.')
    throw wrongAt(place, `A key at ${place ?? 'the root'} must be well-formed text without NUL`)
  }
}

const wrongAt = (path: string | null, message: string): Error =>
  fail('validation', { message }, { path, source: 'body' })
