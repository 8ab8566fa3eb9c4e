import { compareDecimals } from '../values/decimal.js'
import type { Pattern } from '../patterns/pattern.js'
import { createPattern } from '../patterns/pattern.js'
import type { AttributeBase, ScalarAttribute } from './attribute.js'
import type { RawObject } from './read-options.js'
import { member, present, readCount, readFlag, readText, readTexts } from './read-options.js'
import { isMoment } from '../values/now.js'
import type { Report } from './schema-error.js'
import { createReport } from './schema-error.js'
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
    if (unique) report.warn('unique', `a ${type} cannot be unique: values may repeat`)
    if (index) report.warn('index', `a ${type} cannot be indexed`)
  }
  const allowed = type === 'enumeration' ? readEnum(raw, report) : []
  return {
    ...base,
    type,
    // A uid is unique by its nature, whatever its definition says.
    unique: (unique && !unindexed.has(type)) || type === 'uid',
    index: index && !unindexed.has(type),
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
  const given = member(raw, 'enum')
  const values = Array.isArray(given)
    ? readTexts({ enum: given.map(wordOf) }, 'enum', createReport(report, report))
    : readTexts(raw, 'enum', report)
  if ((given ?? null) === null) report('enum', 'an enumeration needs at least one value')
  else if (values?.length === 0) report.warn('enum', 'there is no value that could be written')
  return values ?? []
}

/** Numbers count as their digits, as in Strapi. */
function wordOf(value: unknown): unknown {
  return typeof value === 'number' ? String(value) : value
}

/** What a create writes that does not name the attribute. What no create could write is no default. */
function readDefault(
  type: ScalarType,
  allowed: readonly string[],
  raw: RawObject,
  report: Report,
): unknown {
  const value = member(raw, 'default')
  if (value === undefined || value === null) return undefined
  if (value === 'now' && isMoment(type)) {
    report.warn('default', '"now" is the moment of each create')
    return value
  }
  const { isDefault, expected } = valueForms[type]
  if (!isDefault(value)) report.warn('default', `should be ${expected}: there is no default`)
  else if (type === 'enumeration' && !allowed.includes(value as string))
    report.warn(
      'default',
      `should be one of ${allowed.map((item) => `"${item}"`).join(', ')}: there is no default`,
    )
  else return value
  return undefined
}

type Range = Pick<ScalarAttribute, 'min' | 'max'>

function readRange(type: ScalarType, raw: RawObject, report: Report): Range {
  const [min, max] = (['min', 'max'] as const).map((key) => readBound(type, raw, key, report))
  if (min !== undefined && max !== undefined && isAbove(min, max))
    report.warn('min', `is above max (${max}), so that no value will do`)
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
  const bound = typeof value === 'string' && value !== '' ? Number(value) : value
  // As in Strapi, a whole number may have a bound between two.
  if (
    typeof bound === 'number' &&
    Number.isFinite(bound) &&
    (type === 'integer' || type === 'float')
  )
    return bound
  report.warn(key, 'should be a number: there is no such bound')
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
    report.warn('minLength', `is above maxLength (${maxLength}), so that no text will do`)
  const pattern = readPattern(raw, report)
  return present({ minLength, maxLength, regex: pattern?.source, pattern })
}

function readPattern(raw: RawObject, report: Report): Pattern | undefined {
  const source = readText(raw, 'regex', report)
  if (source === undefined) return undefined
  try {
    return createPattern(source)
  } catch (error) {
    const message = error instanceof Error ? error.message : 'is not a regular expression'
    report.warn('regex', `there is no pattern: ${message}`)
    return undefined
  }
}
