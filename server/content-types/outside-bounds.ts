import { Decimal128, type Document } from 'mongodb'
import { isScalar } from '../../engine/schema/attribute.js'
import type { StricterBound } from '../../engine/schema/compare/stricter-bounds.js'
import { countText } from '../../engine/values/count-text.js'

/** How to find values outside a bound. */
type Outside = Readonly<{
  condition: unknown
  /** Expression on `$value` that must also be true. */
  expression?: Document
  /** Description of such a value: `a value below 5`. */
  words: string
}>

const isText = { $type: 'string' }

/** Finds all strings for a `regex`: MongoDB's patterns differ from JavaScript's and cannot tell which strings match. */
export function outsideOf({ kind, bound, attribute }: StricterBound): Outside {
  if (kind === 'regex')
    return { condition: isText, words: 'a value in it. Whether it matches is not counted' }
  const isLeast = kind === 'min' || kind === 'minLength'
  const operator = isLeast ? '$lt' : '$gt'
  if (kind === 'minLength' || kind === 'maxLength')
    return {
      condition: isText,
      expression: { [operator]: [lengthOfText, bound] },
      words: `a value of ${isLeast ? 'fewer' : 'more'} than ${countText(Number(bound), 'character')}`,
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
  // An optional list may be empty despite its minimum length.
  const least = isLeast && !attribute.required ? 1 : 0
  return {
    condition: { $type: 'array' },
    expression: { $and: [{ $gte: [size, least] }, { [operator]: [size, bound] }] },
    words: `${isLeast ? 'fewer' : 'more'} than ${countText(Number(bound), 'item')} in it`,
  }
}

/** As in JavaScript, a character beyond U+FFFF counts as two. */
const lengthOfText = {
  $add: [
    { $strLenCP: '$value' },
    { $size: { $regexFindAll: { input: '$value', regex: '[\\x{10000}-\\x{10FFFF}]' } } },
  ],
}
