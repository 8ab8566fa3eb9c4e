import { expect } from 'chai'
import fc from 'fast-check'
import { scalarRule } from '../../../engine/write/rules/scalar-rules.js'
import { storeScalar } from '../../../engine/write/change/store-scalar.js'
import { coerce } from '../../../engine/read/resolve/resolve-operators.js'
import type { ScalarAttribute } from '../../../engine/schema/attribute.js'
import { parseDateTime } from '../../../engine/values/parse-dates.js'
import type { ScalarType } from '../../../engine/values/scalar-type.js'
import { scalarTypes } from '../../../engine/values/scalar-type.js'
import { toBson } from '../../../engine/values/to-bson.js'
import { valueForms } from '../../../engine/values/value-forms.js'
import { attributeOf, contentType, define, problemsOf } from '../schema/define.js'
import { inTimeZones } from '../../support/time-zones.js'
import { runs } from '../../support/properties.js'

const attributes = new Map<ScalarType, ScalarAttribute>(
  scalarTypes.map((type) => {
    const definition = type === 'enumeration' ? { type, enum: ['x'] } : { type }
    const registry = define(contentType({ a: definition }))
    return [type, attributeOf(registry, 'a') as ScalarAttribute]
  }),
)
const attribute = (type: ScalarType) => attributes.get(type) as ScalarAttribute

/** `refused` stands for a 400. */
function stored(type: ScalarType, value: unknown): unknown {
  try {
    const rule = scalarRule(attribute(type), { rules: 'full', absent: 'keep' })
    return storeScalar(attribute(type), rule.validateSync(value), { hashes: new Map() })
  } catch {
    return 'refused'
  }
}

/** `refused` stands for a 400. */
function compared(type: ScalarType, text: string): unknown {
  try {
    return toBson(coerce(attribute(type), text, { path: ['a'], param: 'filters' }))
  } catch {
    return 'refused'
  }
}

const isDefault = (type: ScalarType, value: unknown): boolean =>
  problemsOf(contentType({ a: { type, default: value } })).length === 0

const digits = (least: number, most: number, width: number) =>
  fc.integer({ min: least, max: most }).map((number) => String(number).padStart(width, '0'))
const clock = fc.record({
  mark: fc.constantFrom('T', ' ', 't'),
  hours: digits(0, 25, 2),
  minutes: digits(0, 61, 2),
  seconds: fc.option(digits(0, 61, 2), { nil: undefined }),
  fraction: fc.option(fc.stringMatching(/^[.,]\d{1,9}$/), { nil: undefined }),
  zone: fc.oneof(fc.constantFrom('', 'Z', 'z'), fc.stringMatching(/^[+-][0-2]\d:?[0-6]\d$/)),
})
const moments = fc.record({
  year: digits(0, 9999, 4),
  month: digits(0, 13, 2),
  day: digits(0, 32, 2),
  time: fc.option(clock, { nil: undefined }),
})
type Moment = typeof moments extends fc.Arbitrary<infer M> ? M : never

function textOf({ year, month, day, time }: Moment): string {
  if (time === undefined) return `${year}-${month}-${day}`
  const { mark, hours, minutes, seconds, fraction = '', zone } = time
  const rest = seconds === undefined ? '' : `:${seconds}${fraction}`
  return `${year}-${month}-${day}${mark}${hours}:${minutes}${rest}${zone}`
}

/**
 * Computes the instant of a moment in UTC; without a zone, the moment is in UTC. Returns undefined if it is invalid.
 */
function instantOf({ year, month, day, time }: Moment): number | undefined {
  const date = new Date(0)
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day))
  if (date.getUTCMonth() !== Number(month) - 1 || date.getUTCDate() !== Number(day))
    return undefined
  if (time === undefined) return date.getTime()
  const { hours, minutes, seconds = '0', zone } = time
  const fraction = time.seconds === undefined ? '' : (time.fraction ?? '').slice(1, 4)
  const [, sign = '+', zoneHours = '0', zoneMinutes = '0'] =
    /^([+-])(\d\d):?(\d\d)$/.exec(zone) ?? []
  const milliseconds = Number(fraction.padEnd(3, '0'))
  const isEndOfDay =
    hours === '24' && Number(minutes) === 0 && Number(seconds) === 0 && milliseconds === 0
  if (Number(hours) > 23 && !isEndOfDay) return undefined
  if (Number(minutes) > 59 || Number(seconds) > 59) return undefined
  if (Number(zoneHours) > 23 || Number(zoneMinutes) > 59) return undefined
  const ahead = (sign === '-' ? -1 : 1) * (Number(zoneHours) * 60 + Number(zoneMinutes))
  const wall = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)
  return date.getTime() + wall * 1000 + milliseconds - ahead * 60_000
}

/**
 * Returns the days from 1970 to the start of a year. Of the years divisible by 100, only each fourth is a leap year.
 */
const daysTo = (year: number): number =>
  365 * year + Math.ceil(year / 4) - Math.ceil(year / 100) + Math.ceil(year / 400) - 719_528
const daysIn = (year: number): number => daysTo(year + 1) - daysTo(year)
function daysUntil(year: number, month: number, day: number): number | undefined {
  const lengths = [31, daysIn(year) - 337, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
  if (day < 1 || day > (lengths[month - 1] ?? 0)) return undefined
  return lengths.slice(0, month - 1).reduce((days, length) => days + length, daysTo(year) + day - 1)
}

const padded = (number: number, width: number): string => String(number).padStart(width, '0')
/** Returns a date in one notation, and the days from 1970 to it. */
type DateForm = (
  ...date: readonly [year: number, month: number, day: number, dayOfYear: number]
) => readonly [string, number | undefined]
const inYear = (year: number, day: number): number | undefined =>
  day < 1 || day > daysIn(year) ? undefined : daysTo(year) + day - 1
const dateForms: readonly DateForm[] = [
  (year) => [padded(year, 4), daysTo(year)],
  ...['', '-'].flatMap((mark): DateForm[] => [
    (year, month) => [`${padded(year, 4)}${mark}${padded(month, 2)}`, daysUntil(year, month, 1)],
    (year, month, day) => [
      [padded(year, 4), padded(month, 2), padded(day, 2)].join(mark),
      daysUntil(year, month, day),
    ],
    (year, _month, _day, day) => [`${padded(year, 4)}${mark}${padded(day, 3)}`, inYear(year, day)],
  ]),
]
const dates = fc.record({
  year: fc.oneof(fc.integer({ min: 0, max: 9999 }), fc.constantFrom(1900, 2000, 2023, 2024)),
  month: fc.integer({ min: 0, max: 13 }),
  day: fc.integer({ min: 0, max: 32 }),
  dayOfYear: fc.oneof(fc.integer({ min: 0, max: 999 }), fc.constantFrom(1, 60, 365, 366, 367)),
  form: fc.constantFrom(...dateForms),
})

describe('parsing values', () => {
  it(
    'reads a datetime as an instant, in UTC by default, in any time zone of the machine',
    inTimeZones((zone) => {
      fc.assert(
        fc.property(moments, (moment) => {
          const instant = instantOf(moment)
          const expected =
            instant === undefined ? { as: 'nothing' } : { as: 'date', value: instant }
          expect(parseDateTime(textOf(moment)), `${textOf(moment)} in ${zone}`).to.include(expected)
        }),
        { numRuns: runs(2000) },
      )
    }),
  )

  it(
    'reads an ISO date in any form as its first instant',
    inTimeZones((zone) => {
      fc.assert(
        fc.property(dates, ({ year, month, day, dayOfYear, form }) => {
          const [text, days] = form(year, month, day, dayOfYear)
          const expected =
            days === undefined ? { as: 'nothing' } : { as: 'date', value: days * 86_400_000 }
          expect(parseDateTime(text), `${text} in ${zone}`).to.include(expected)
        }),
        { numRuns: runs(2000) },
      )
    }),
  )

  const texts = fc.oneof(
    dates.map(({ year, month, day, dayOfYear, form }) => form(year, month, day, dayOfYear)[0]),
    moments.map(textOf),
    moments.map((moment) => `${textOf(moment)}x`),
    fc.stringMatching(/^-?\d{1,20}$/),
    fc.stringMatching(/^ ?[+-]?0{0,25}\d{0,20}\.?\d{0,36}(e[+-]?\d{1,4})? ?$/),
    fc.stringMatching(/^\d\d:\d\d(:\d\d)?(\.\d{1,4})?$/),
    fc.constantFrom('9223372036854775807', '9223372036854775808', '-9223372036854775808'),
    fc.constantFrom('true', 'TRUE', 'false', 'False', '1', '0', 't', 'f', '', ' ', 'x'),
    fc.constantFrom('0x1f', '1 0', 'Infinity', 'NaN', '1e999', '2024', '20240115', '+1', '--1'),
    fc.string(),
  )

  it(
    'gives the same value in a body and in a filter, for every comparable type',
    inTimeZones((zone) => {
      fc.assert(
        fc.property(fc.constantFrom(...scalarTypes), texts, (type, text) => {
          if (valueForms[type].parse === undefined) return
          const [inBody, inFilter] = [stored(type, text), compared(type, text)]
          // A filter may also accept values that no entry can have: fractions, long texts, other words for true.
          if (inBody === 'refused') {
            if (!['date', 'time', 'datetime', 'timestamp', 'decimal', 'biginteger'].includes(type))
              return
            expect(inFilter, `${type} ${JSON.stringify(text)} in ${zone}`).to.equal('refused')
          } else
            expect(inFilter, `${type} ${JSON.stringify(text)} in ${zone}`).to.deep.equal(inBody)
        }),
        { numRuns: runs(3000) },
      )
    }),
  )

  it(
    'accepts a default only if it can be stored, and any storable date as default',
    inTimeZones((zone) => {
      const values = fc.oneof(texts, fc.double(), fc.integer(), fc.boolean())
      fc.assert(
        fc.property(fc.constantFrom(...scalarTypes), values, (type, value) => {
          if (['enumeration', 'email', 'uid', 'string', 'blocks', 'json'].includes(type)) return
          const inBody = stored(type, value)
          const what = `${type} ${JSON.stringify(value)} in ${zone}`
          if (isDefault(type, value)) expect(inBody, what).not.to.equal('refused')
          else if (['date', 'time', 'datetime', 'timestamp'].includes(type))
            expect(inBody, what).to.equal('refused')
        }),
        { numRuns: runs(1000) },
      )
    }),
  )

  it('reads digits as an ISO date if they have its length, else as milliseconds', () => {
    for (const [text, day] of [
      ['2024', '2024-01-01'],
      ['202402', '2024-02-01'],
      ['2024060', '2024-02-29'],
      ['20240229', '2024-02-29'],
    ] as const) {
      expect(compared('datetime', text)).to.deep.equal(new Date(day))
      expect(stored('datetime', text)).to.deep.equal(new Date(day))
      expect(isDefault('datetime', text)).to.equal(true)
    }
    for (const text of ['202400', '2023366', '20230229', '-2024']) {
      expect(compared('datetime', text)).to.equal('refused')
      expect(stored('datetime', text)).to.equal('refused')
      expect(isDefault('datetime', text)).to.equal(false)
    }
    for (const text of ['0', '-1', '999', '20240', '1705314600000']) {
      expect(compared('datetime', text)).to.deep.equal(new Date(Number(text)))
      expect(stored('datetime', text)).to.deep.equal(new Date(Number(text)))
      expect(isDefault('datetime', text)).to.equal(true)
    }
  })

  it('describes an invalid default in the words of its type', () => {
    for (const [type, value, problem] of [
      ['date', '2024-02-31', 'should be a date (yyyy-MM-dd)'],
      ['datetime', 'Jan 5 2024', 'should be a date and time in ISO form'],
      ['datetime', '20240231', 'should be a date and time in ISO form'],
      ['timestamp', '2024-01-15T25:00:00', 'should be a date and time in ISO form'],
      ['biginteger', '9223372036854775808', 'should be a whole number'],
    ] as const)
      expect(problemsOf(contentType({ a: { type, default: value } }))).to.deep.equal([
        `warned thing.json: attributes.a.default: ${problem}; the default is ignored`,
      ])
  })

  it('takes time that is linear in the length of the text', () => {
    const long = 1_000_000
    for (const type of ['date', 'datetime', 'time', 'decimal', 'biginteger', 'integer'] as const)
      for (const text of [
        `${'0'.repeat(long)}x`,
        `${'1'.repeat(long)}x`,
        `2024-01-02T03:04:05.${'1'.repeat(long)}x`,
      ])
        expect(stored(type, text), type).to.equal('refused')
  })
})
