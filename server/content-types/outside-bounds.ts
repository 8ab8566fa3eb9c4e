import { Decimal128, type Document } from 'mongodb'
import { isScalar } from '../../engine/schema/attribute.js'
import type { StricterBound } from '../../engine/schema/stricter-bounds.js'

/** What finds the values outside of a bound, and the words for what entries have that have one. */
type Outside = Readonly<{
  condition: unknown
  /** Of `$value`; absent: whatever satisfies the condition is outside. */
  expression?: Document
  /** `a value below 5` */
  words: string
}>

const isText = { $type: 'string' }

/**
 * Returns how to find values that are stored and outside of a bound. Of a `regex` that is all texts: MongoDB's patterns
 * are not those of JavaScript, so it cannot tell which of them match.
 */
export function outsideOf({ kind, bound, attribute }: StricterBound): Outside {
  if (kind === 'regex')
    return { condition: isText, words: 'a value in it. Whether it matches is not counted' }
  const isLeast = kind === 'min' || kind === 'minLength'
  const operator = isLeast ? '$lt' : '$gt'
  if (kind === 'minLength' || kind === 'maxLength')
    return {
      condition: isText,
      expression: { [operator]: [lengthOfText, bound] },
      words: `a value of ${isLeast ? 'fewer' : 'more'} than ${numbered(bound, 'character')}`,
    }
  if (isScalar(attribute)) {
    const { type } = attribute
    const isExact = type === 'biginteger' || type === 'decimal'
    const number = isExact ? Decimal128.fromString(String(bound).trim()) : Number(bound)
    return {
      condition: { [operator]: number },
      words: `a value ${isLeast ? 'below' : 'above'} ${bound}`,
    }
  }
  const size = { $size: '$value' }
  // An optional list may be empty, whatever it holds at least otherwise.
  const least = isLeast && !attribute.required ? 1 : 0
  return {
    condition: { $type: 'array' },
    expression: { $and: [{ $gte: [size, least] }, { [operator]: [size, bound] }] },
    words: `${isLeast ? 'fewer' : 'more'} than ${numbered(bound, 'item')} in it`,
  }
}

const numbered = (count: number | string, noun: string): string =>
  `${count} ${noun}${count === 1 ? '' : 's'}`

/** As JavaScript counts: of what is beyond U+FFFF each character is two. */
const lengthOfText = {
  $add: [
    { $strLenCP: '$value' },
    { $size: { $regexFindAll: { input: '$value', regex: '[\\x{10000}-\\x{10FFFF}]' } } },
  ],
}
