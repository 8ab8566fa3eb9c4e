import type { AST } from '@eslint-community/regexpp'
import { RegExpParser } from '@eslint-community/regexpp'
import type { CodeUnits } from './code-units.js'
import { allBut, digits, lineEnds, spaces, wordCharacters, writeUnits } from './code-units.js'

/** RE2's maximum number of repetitions. It also applies to the product of nested repetitions. */
const maxRepetition = 1000

/**
 * Translates a JavaScript pattern (without flags) to a pattern of RE2. Both match the same strings, if
 * `spreadSurrogates` has converted those for RE2. Some escapes mean something else in RE2, so character classes are
 * written out.
 * @throws Obstacle if RE2 has no equivalent, SyntaxError if the pattern is invalid
 */
export function translatePattern(source: string): string {
  const parser = new RegExpParser({ strict: false })
  const flags = { unicode: false, unicodeSets: false }
  return alternatives(parser.parsePattern(source, 0, source.length, flags))
}

/** Thrown if a pattern cannot be translated. The message is the reason, such as `has a look-ahead`. */
export class Obstacle extends Error {}

type Alternatives = Readonly<{ alternatives: readonly AST.Alternative[] }>

const alternatives = (of: Alternatives): string =>
  `(?:${of.alternatives.map(({ elements }) => elements.map(element).join('')).join('|')})`

function element(node: AST.Element): string {
  switch (node.type) {
    case 'Character':
      return writeUnits([[node.value, node.value]])
    case 'CharacterSet':
      return writeUnits(unitsOf(node))
    case 'CharacterClass':
      return writeUnits(node.negate ? allBut(membersOf(node)) : membersOf(node))
    case 'CapturingGroup':
      return alternatives(node)
    case 'Group':
      if (node.modifiers !== null) throw new Obstacle('has a group with flags')
      return alternatives(node)
    case 'Quantifier':
      return `(?:${element(node.element)})${times(node)}`
    case 'Assertion':
      return assertion(node)
    case 'Backreference':
      throw new Obstacle('has a back-reference')
    case 'ExpressionCharacterClass':
      throw new Obstacle(`has the class ${node.raw}`)
  }
}

/** Translates lazy quantifiers like greedy ones, because they match the same strings. */
function times({ min, max, raw, element }: AST.Quantifier): string {
  const quantifier = raw.slice(element.raw.length)
  if (Number.isFinite(max) ? max > maxRepetition : min > maxRepetition)
    throw new Obstacle(`repeats more than ${maxRepetition} times (${quantifier})`)
  return Number.isFinite(max) ? `{${min},${max}}` : `{${min},}`
}

function assertion(node: AST.Assertion): string {
  switch (node.kind) {
    case 'start':
      return '\\A'
    case 'end':
      return '\\z'
    case 'word':
      return node.negate ? '\\B' : '\\b'
    default:
      throw new Obstacle(node.kind === 'lookahead' ? 'has a look-ahead' : 'has a look-behind')
  }
}

function membersOf({ elements }: AST.CharacterClass): CodeUnits {
  return elements.flatMap((member): CodeUnits => {
    switch (member.type) {
      case 'Character':
        return [[member.value, member.value]]
      case 'CharacterClassRange':
        return [[member.min.value, member.max.value]]
      case 'CharacterSet':
        return unitsOf(member)
      default:
        throw new Obstacle(`has the class ${member.raw}`)
    }
  })
}

function unitsOf(set: AST.CharacterSet): CodeUnits {
  switch (set.kind) {
    case 'any':
      return allBut(lineEnds)
    case 'digit':
      return set.negate ? allBut(digits) : digits
    case 'space':
      return set.negate ? allBut(spaces) : spaces
    case 'word':
      return set.negate ? allBut(wordCharacters) : wordCharacters
    case 'property':
      throw new Obstacle(`has the class ${set.raw}`)
  }
}
