import { compareDecimals } from '../values/decimal.js'
import type { Pattern } from '../patterns/pattern.js'
import { createPattern } from '../patterns/pattern.js'
import type { AttributeBase, ScalarAttribute } from './attribute.js'
import type { RawObject } from './read-options.js'
import { member, present, readCount, readFlag, readText, readTexts } from './read-options.js'
import type { Report } from './schema-error.js'
import type { ScalarType } from '../values/scalar-type.js'
import { textTypes } from '../values/scalar-type.js'
import { valueForms } from '../values/value-forms.js'

/** Types whose values have no order that an index could hold; a password is a hash. */
const unindexed: ReadonlySet<ScalarType> = new Set(['json', 'array', 'blocks', 'password'])
const numeric: ReadonlySet<ScalarType> = new Set(['integer', 'biginteger', 'float', 'decimal'])

/** A scalar attribute from its definition. Options of other types are passed over, as in Strapi. */
export function defineScalar(
  type: ScalarType,
  base: AttributeBase,
  raw: RawObject,
  report: Report,
): ScalarAttribute {
  const unique = readFlag(raw, 'unique', report)
  const index = readFlag(raw, 'index', report)
  if (unindexed.has(type)) {
    if (unique) report('unique', `a ${type} cannot be unique`)
    if (index) report('index', `a ${type} cannot be indexed`)
  }
  const allowed = type === 'enumeration' ? readEnum(raw, report) : []
  return {
    ...base,
    type,
    // A uid is unique by its nature, whatever its definition says.
    unique: unique || type === 'uid',
    index,
    enum: allowed,
    ...present({
      default: readDefault(type, allowed, raw, report),
      searchable: member(raw, 'searchable') === false ? (false as const) : undefined,
      targetField: type === 'uid' ? readText(raw, 'targetField', report) : undefined,
    }),
    ...(numeric.has(type) ? readRange(type, raw, report) : {}),
    ...(textTypes.has(type) || type === 'password' ? readTextRules(raw, report) : {}),
  }
}

function readEnum(raw: RawObject, report: Report): readonly string[] {
  const values = readTexts(raw, 'enum', report)
  if ((member(raw, 'enum') ?? null) === null || values?.length === 0)
    report('enum', 'an enumeration needs at least one value')
  return values ?? []
}

function readDefault(
  type: ScalarType,
  allowed: readonly string[],
  raw: RawObject,
  report: Report,
): unknown {
  const value = member(raw, 'default')
  if (value === undefined || value === null) return undefined
  const { isDefault, expected } = valueForms[type]
  if (!isDefault(value)) report('default', `must be ${expected}`)
  else if (type === 'enumeration' && !allowed.includes(value as string))
    report('default', `must be one of ${allowed.map((item) => `"${item}"`).join(', ')}`)
  return value
}

type Range = Pick<ScalarAttribute, 'min' | 'max'>

function readRange(type: ScalarType, raw: RawObject, report: Report): Range {
  const [min, max] = (['min', 'max'] as const).map((key) => readBound(type, raw, key, report))
  if (min !== undefined && max !== undefined && isAbove(min, max))
    report('min', `must not be above max (${max})`)
  return present({ min, max })
}

function readBound(
  type: ScalarType,
  raw: RawObject,
  key: string,
  report: Report,
): number | string | undefined {
  const value = member(raw, key)
  if (value === undefined || value === null) return undefined
  if (valueForms[type].isDefault(value)) return value as number | string
  report(
    key,
    type === 'integer' || type === 'biginteger' ? 'must be a whole number' : 'must be a number',
  )
  return undefined
}

/** Bounds of a biginteger or a decimal may be texts, because a double holds fewer digits. */
function isAbove(min: number | string, max: number | string): boolean {
  return compareDecimals(String(min), String(max)) > 0
}

type TextRules = Pick<ScalarAttribute, 'minLength' | 'maxLength' | 'regex' | 'pattern'>

function readTextRules(raw: RawObject, report: Report): TextRules {
  const minLength = readCount(raw, 'minLength', report)
  const maxLength = readCount(raw, 'maxLength', report)
  if (minLength !== undefined && maxLength !== undefined && minLength > maxLength)
    report('minLength', `must not be above maxLength (${maxLength})`)
  const pattern = readPattern(raw, report)
  return present({ minLength, maxLength, regex: pattern?.source, pattern })
}

function readPattern(raw: RawObject, report: Report): Pattern | undefined {
  const source = readText(raw, 'regex', report)
  if (source === undefined) return undefined
  try {
    return createPattern(source)
  } catch (error) {
    report('regex', error instanceof Error ? error.message : 'is not a regular expression')
    return undefined
  }
}
