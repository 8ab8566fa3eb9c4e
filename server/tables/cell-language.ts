import { fail } from '../../engine/errors.js'

/**
 * Reads numbers, booleans and dates as spreadsheets write them in one language. Leaves the API's own format unchanged.
 */
export type CellLanguage = Readonly<{
  /** Returns `1.234,5` as `1234.5`. Throws `validation` for an ambiguous number. */
  number: (cell: string, isWhole: boolean) => string
  /** Returns true for `wahr` and `ja`, false for `falsch` and `nein`; undefined for other words. */
  boolean: (cell: string) => boolean | undefined
  /** Returns the ISO form of `31.12.2024` and `31.12.24 14:30`, in UTC, and of day numbers such as `45657`. */
  date: (cell: string) => string
}>

const words: Readonly<Record<string, readonly [yes: readonly string[], no: readonly string[]]>> = {
  de: [
    ['wahr', 'ja'],
    ['falsch', 'nein'],
  ],
  en: [['yes'], ['no']],
  es: [
    ['verdadero', 'sí', 'si'],
    ['falso', 'no'],
  ],
  fr: [
    ['vrai', 'oui'],
    ['faux', 'non'],
  ],
  it: [
    ['vero', 'sì', 'si'],
    ['falso', 'no'],
  ],
  nl: [
    ['waar', 'ja'],
    ['onwaar', 'nee'],
  ],
}

/**
 * Returns the language of a locale; undefined if it is unknown.
 * @param locale such as `de` or `de-CH`
 */
export function cellLanguage(locale: string | undefined): CellLanguage | undefined {
  if (locale === undefined || Intl.NumberFormat.supportedLocalesOf(tagOf(locale)).length === 0)
    return undefined
  return { number: numbersOf(locale), boolean: booleansOf(locale), date: datesOf(locale) }
}

/** Returns no tag for a string that is no language tag, because `Intl` would throw. */
const tagOf = (locale: string): string[] =>
  /^[a-z]{2,3}(?:-[A-Za-z]{2})?$/.test(locale) ? [locale] : []

function numbersOf(locale: string): CellLanguage['number'] {
  const parts = new Intl.NumberFormat(locale).formatToParts(-1234567.8)
  const signOf = (type: string): string => parts.find((part) => part.type === type)?.value ?? ''
  const [decimal, group] = [signOf('decimal'), signOf('group')]
  const groups = group === '.' || group === ',' ? `\\${group}` : `[${group}'’\\s]`
  const number = new RegExp(`^(-?(?:\\d+|\\d{1,3}(?:${groups}\\d{3})+))(?:\\${decimal}(\\d+))?$`)
  const between = new RegExp(groups, 'g')
  return (cell, isWhole) => {
    const text = cell.trim()
    const [, whole, fraction] = number.exec(text) ?? []
    if (whole === undefined) return cell
    const digits = whole.replace(between, '')
    if (!isWhole && group === '.' && /^-?\d{1,3}\.\d{3}$/.test(text)) {
      const message = `${text} is ambiguous. Write ${digits} or ${text.replace('.', decimal)}`
      throw fail('validation', message)
    }
    return fraction === undefined ? digits : `${digits}.${fraction}`
  }
}

function booleansOf(locale: string): CellLanguage['boolean'] {
  const [yes, no] = words[locale.slice(0, 2)] ?? [[], []]
  return (cell) => {
    const word = cell.trim().toLowerCase()
    return yes.includes(word) ? true : no.includes(word) ? false : undefined
  }
}

const dateForm = /^(\d{1,4})[./-](\d{1,2})[./-](\d{1,4})(?:,?\s+(\d{1,2}):(\d{2})(?::(\d{2}))?)?$/
/** A spreadsheet's day number: 25569 is 1 January 1970. */
const dayNumber = /^(\d{5})(?:[.,](\d+))?$/

function datesOf(locale: string): CellLanguage['date'] {
  const order = new Intl.DateTimeFormat(locale, { dateStyle: 'short' })
    .formatToParts()
    .flatMap(({ type }) => (type === 'literal' ? [] : type))
  return (cell) => {
    const text = cell.trim()
    const [, days, part = '0'] = dayNumber.exec(text) ?? []
    if (days !== undefined) {
      const time = Math.round((Number(`${days}.${part}`) - 25_569) * 86_400_000)
      return new Date(time).toISOString()
    }
    if (/^\d{4}-/.test(text)) return cell
    const [, one = '', two = '', three = '', hour, minute, second = '00'] =
      dateForm.exec(text) ?? []
    if (one === '') return cell
    const numberOf = (type: 'year' | 'month' | 'day'): string =>
      [one, two, three][order.indexOf(type)]?.padStart(2, '0') ?? ''
    const day = `${fullYear(numberOf('year'))}-${numberOf('month')}-${numberOf('day')}`
    return hour === undefined ? day : `${day}T${hour.padStart(2, '0')}:${minute}:${second}.000Z`
  }
}

/** Two-digit years are 1930 to 2029, as in spreadsheets. */
const fullYear = (year: string): string =>
  year.length > 2 ? year : `${Number(year) < 30 ? '20' : '19'}${year}`
