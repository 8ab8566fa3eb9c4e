import { BSONRegExp } from 'mongodb'
import escapeRegExp from 'escape-string-regexp'
import type { Test } from '../../values/value-test.js'

/** A regular expression, or a part of one, and the options that it needs. */
export type Pattern = Readonly<{ source: string; options: string }>

type Texts = Pick<Extract<Test, { op: 'match' }>, 'how' | 'insensitive' | 'texts'>

/** What finds each of the texts. They are escaped, so that they stand for themselves. */
export function patternsOf({ how, insensitive, texts }: Texts): readonly Pattern[] {
  return texts.map((text) => {
    const { source, options } = insensitive ? ignoreCase(text) : exactly(text)
    // `s` lets nothing that the text may hold, a line break above all, end the match early.
    return { source: patterns[how](source), options: `${options}s` }
  })
}

/**
 * The same as an expression of the database: whether a text holds any of them, or with `every` all.
 * @param input an expression that yields the text
 */
export function compileFound(test: Texts & Readonly<{ every?: true }>, input: unknown): unknown {
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

/** The engine takes no longer patterns; in bytes. */
const maxPatternLength = 32_000

/**
 * What matches a text whatever its case (docs/decisions.md, "Comparing and sorting"). Letters beyond ASCII
 * are written out in all the cases that JavaScript knows, `Éa` as `[éÉ](?i:a)`: engines differ in the version
 * of their Unicode, and values in components are compared in JavaScript.
 */
function ignoreCase(text: string): Pattern {
  if (!beyondAscii.test(text)) return { source: escapeRegExp(text), options: 'i' }
  const source = text.replace(parts, (part) =>
    beyondAscii.test(part) ? writeLetter(part) : `(?i:${escapeRegExp(part)})`,
  )
  // A text of thousands of such letters is left to the engine's own Unicode.
  if (Buffer.byteLength(source) > maxPatternLength) {
    return { source: escapeRegExp(text), options: 'i' }
  }
  return { source, options: '' }
}

const beyondAscii = /\P{ASCII}/u
/** Runs of ASCII, and every other character by itself. */
const parts = /\p{ASCII}+|\P{ASCII}/gu

/** What has none is no case of another letter either. */
const hasCase = /\p{Changes_When_Casemapped}|\p{Changes_When_Casefolded}/u

const letters = new Map<string, string>()

function writeLetter(letter: string): string {
  if (!hasCase.test(letter)) return letter
  const known = letters.get(letter)
  if (known !== undefined) return known
  const cases = casesOf(letter)
  const written = cases.length > 1 ? `[${cases.join('')}]` : letter
  // As many as there are letters with a case, at most.
  if (cases.length > 1) letters.set(letter, written)
  return written
}

/** The letter in all its cases, or nothing where it has none: `θ` is also `ϑ`, `Θ` and `ϴ`. */
function casesOf(letter: string): readonly string[] {
  return allLetters().match(new RegExp(letter, 'giu')) ?? []
}

let cased: string | undefined

/** Every character that has a case. There are none above the first two planes of Unicode. */
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
