import { BSONRegExp } from 'mongodb'
import escapeRegExp from 'escape-string-regexp'
import type { Test } from '../../values/value-test.js'

/** A regular expression or a part of one, and its options. */
export type Pattern = Readonly<{ source: string; options: string }>

type Texts = Pick<Extract<Test, { op: 'match' }>, 'how' | 'insensitive' | 'texts'>

/** Returns one pattern for each string to match, with escaped characters. */
export function patternsOf({ how, insensitive, texts }: Texts): readonly Pattern[] {
  return texts.map((text) => {
    const { source, options } = insensitive ? ignoreCase(text) : exactly(text)
    return { source: patterns[how](source), options }
  })
}

/** Boolean expression: whether the string `input` matches any pattern, or with `every`, all of them. */
export function compileTextMatch(
  test: Texts & Readonly<{ every?: true }>,
  input: unknown,
): unknown {
  const found = patternsOf(test).map(({ source, options }) => ({
    $regexMatch: { input: '$$text', regex: new BSONRegExp(source, options) },
  }))
  const holds = { [test.every === true ? '$and' : '$or']: found }
  return { $let: { vars: { text: input }, in: holds } }
}

const exactly = (text: string): Pattern => ({ source: escapeRegExp(text), options: '' })

const patterns = {
  equals: (text: string) => `\\A${text}\\z`,
  contains: (text: string) => text,
  startsWith: (text: string) => `^${text}`,
  endsWith: (text: string) => `${text}\\z`,
}

/** MongoDB's limit, in bytes. */
const maxPatternLength = 32_000

/**
 * Returns a pattern that ignores case (docs/internals/decisions.md, "Comparing and sorting"). All cases of letters
 * beyond ASCII are written out, as in `[éÉ](?i:a)` for `Éa`, because MongoDB and JavaScript support different versions
 * of Unicode.
 */
function ignoreCase(text: string): Pattern {
  if (!beyondAscii.test(text)) return { source: escapeRegExp(text), options: 'i' }
  const source = text.replace(parts, (part) =>
    beyondAscii.test(part) ? writeLetter(part) : `(?i:${escapeRegExp(part)})`,
  )
  // With thousands of letters beyond ASCII, the pattern is too long. Let the database ignore case by its version of
  // Unicode.
  if (Buffer.byteLength(source) > maxPatternLength) {
    return { source: escapeRegExp(text), options: 'i' }
  }
  return { source, options: '' }
}

const beyondAscii = /\P{ASCII}/u
const parts = /\p{ASCII}+|\P{ASCII}/gu

const hasCase = /\p{Changes_When_Casemapped}|\p{Changes_When_Casefolded}/u

const letters = new Map<string, string>()

function writeLetter(letter: string): string {
  if (!hasCase.test(letter)) return letter
  const known = letters.get(letter)
  if (known !== undefined) return known
  const cases = casesOf(letter)
  const written = cases.length > 1 ? `[${cases.join('')}]` : letter
  // Cache only letters that have several cases, because their number is limited.
  if (cases.length > 1) letters.set(letter, written)
  return written
}

/** Returns all cases of a letter, such as `θ`, `ϑ`, `Θ` and `ϴ`, or an empty list if it has no cases. */
function casesOf(letter: string): readonly string[] {
  return allLetters().match(new RegExp(letter, 'giu')) ?? []
}

let cased: string | undefined

/** Returns all characters with several cases. They are in the first two planes of Unicode. */
function allLetters(): string {
  if (cased !== undefined) return cased
  const found: string[] = []
  for (let code = 0; code < 0x20000; code += 1) {
    const letter = String.fromCodePoint(code)
    if (hasCase.test(letter)) found.push(letter)
  }
  cased = found.join('')
  return cased
}
