import { compareDecimals } from '../../values/decimal.js'
import { createPattern, type Pattern } from '../../patterns/pattern.js'
import type { AttributeBase, ScalarAttribute } from '../attribute.js'
import { present, RawOptions } from './read-options.js'
import { isMoment } from '../../values/now.js'
import { createReport } from '../schema-error.js'
import {
  numberTypes,
  textTypes,
  unorderedTypes,
  type ScalarType,
} from '../../values/scalar-type.js'
import { isObject } from '../../values/is-object.js'
import type { SlugOptions } from '../../values/slug.js'
import { valueForms } from '../../values/value-forms.js'

/** As in Strapi, ignores options of other attribute types. */
export function defineScalar(
  type: ScalarType,
  base: AttributeBase,
  raw: RawOptions,
): ScalarAttribute {
  const unique = raw.flag('unique')
  const index = raw.flag('index')
  const isOrdered = !unorderedTypes.has(type)
  if (!isOrdered) {
    if (unique) raw.warn('unique', `a ${type} cannot be unique: values may repeat`)
    if (index) raw.warn('index', `a ${type} cannot be indexed`)
  }
  const allowed = type === 'enumeration' ? readEnum(raw) : []
  return {
    ...base,
    type,
    // A uid is always unique.
    unique: (unique && isOrdered) || type === 'uid',
    index: index && isOrdered,
    enum: allowed,
    ...present({
      default: readDefault(type, allowed, raw),
      searchable: raw.get('searchable') === false ? (false as const) : undefined,
      ...(type === 'uid' && {
        targetField: raw.text('targetField'),
        slugOptions: readSlugOptions(raw),
      }),
    }),
    ...(numberTypes.has(type) && readRange(type, raw)),
    ...((textTypes.has(type) || type === 'password') && readTextRules(raw)),
  }
}

/** Converts numbers to strings, as Strapi does. */
const textOfNumber = (value: unknown): unknown =>
  typeof value === 'number' ? String(value) : value

function readEnum(raw: RawOptions): readonly string[] {
  const given = raw.get('enum')
  const { report } = raw
  const options = Array.isArray(given)
    ? new RawOptions({ enum: given.map(textOfNumber) }, createReport(report, report))
    : raw
  const values = options.texts('enum')
  if (given === undefined) report('enum', 'an enumeration needs at least one value')
  else if (values?.length === 0) raw.warn('enum', 'no value is valid')
  return values ?? []
}

/** Options with a value of the wrong type are ignored. */
function readSlugOptions(raw: RawOptions): SlugOptions | undefined {
  const given = raw.get('options')
  if (!isObject(given)) return undefined
  const flags = ['lowercase', 'decamelize', 'preserveLeadingUnderscore'] as const
  const { separator, customReplacements } = given
  const isPair = (pair: unknown): pair is [string, string] =>
    Array.isArray(pair) && pair.length === 2 && pair.every((text) => typeof text === 'string')
  return {
    ...Object.fromEntries(
      flags.flatMap((name) => (typeof given[name] === 'boolean' ? [[name, given[name]]] : [])),
    ),
    ...(typeof separator === 'string' && { separator }),
    ...(Array.isArray(customReplacements) && {
      customReplacements: customReplacements.filter(isPair),
    }),
  }
}

/** Reads the default value. An invalid one is ignored with a warning. */
function readDefault(type: ScalarType, allowed: readonly string[], raw: RawOptions): unknown {
  const value = raw.get('default')
  if (value === undefined) return undefined
  if (value === 'now' && isMoment(type)) {
    raw.warn('default', '"now" is the time of each create')
    return value
  }
  const { isDefault, expected } = valueForms[type]
  if (!isDefault(value)) raw.warn('default', `should be ${expected}; the default is ignored`)
  else if (type === 'enumeration' && !allowed.includes(value as string))
    raw.warn(
      'default',
      `should be one of ${allowed.map((item) => `"${item}"`).join(', ')}; the default is ignored`,
    )
  else return value
  return undefined
}

function readRange(type: ScalarType, raw: RawOptions): Pick<ScalarAttribute, 'min' | 'max'> {
  const min = readBound(type, raw, 'min')
  const max = readBound(type, raw, 'max')
  if (min !== undefined && max !== undefined && isAbove(min, max))
    raw.warn('min', `is above max (${max}), so no value is valid`)
  return present({ min, max })
}

function readBound(type: ScalarType, raw: RawOptions, key: string): number | string | undefined {
  const value = raw.get(key)
  if (value === undefined) return undefined
  if (valueForms[type].isDefault(value)) return value as number | string
  const bound = typeof value === 'string' && value !== '' ? Number(value) : value
  // As in Strapi, `min` and `max` of an integer may be fractions.
  if (
    typeof bound === 'number' &&
    Number.isFinite(bound) &&
    (type === 'integer' || type === 'float')
  )
    return bound
  raw.warn(key, 'should be a number; the limit is ignored')
  return undefined
}

/** Compares decimals: a biginteger or decimal may be a string with more digits than a double can have. */
function isAbove(min: number | string, max: number | string): boolean {
  return compareDecimals(String(min), String(max)) > 0
}

type TextRules = Pick<ScalarAttribute, 'minLength' | 'maxLength' | 'regex' | 'pattern'>

function readTextRules(raw: RawOptions): TextRules {
  const minLength = raw.count('minLength')
  const maxLength = raw.count('maxLength')
  if (minLength !== undefined && maxLength !== undefined && minLength > maxLength)
    raw.warn('minLength', `is above maxLength (${maxLength}), so no text is valid`)
  const pattern = readPattern(raw)
  return present({ minLength, maxLength, regex: pattern?.source, pattern })
}

function readPattern(raw: RawOptions): Pattern | undefined {
  const source = raw.text('regex')
  if (source === undefined) return undefined
  try {
    return createPattern(source)
  } catch (error) {
    raw.warn('regex', `the pattern is ignored: ${(error as Error).message}`)
    return undefined
  }
}
