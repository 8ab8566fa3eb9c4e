import { ApiError } from '../../engine/errors.js'
import { plainDecimal } from '../../engine/values/decimal.js'
import { NumberText } from '../../engine/values/number-text.js'
import { parseJson } from '../http/parse-json.js'
import type { CellLanguage } from './cell-language.js'
import type { CellKind } from './columns.js'

/** What a spreadsheet takes for a formula, behind marks of ours; and no text at all, which an empty cell is not. */
const inNeedOfMark = /^'*(?:[=+\-@\t\r\n]|$)/
const marked = /^'+(?:[=+\-@\t\r\n]|$)/

/**
 * A value as a cell of CSV. An empty cell is null. A text that a spreadsheet would run as a formula begins with an
 * apostrophe, which a spreadsheet does not show, and so does the empty text; lists and objects are JSON.
 */
export function toCell(value: unknown, kind: CellKind): string {
  if (value === null || value === undefined) return ''
  if (kind === 'json' || kind === 'list') return exactJson(value)
  if (value instanceof NumberText) return value.text
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  if (plainKinds.has(kind)) return text
  return inNeedOfMark.test(text) ? `'${text}` : text
}

/** Of which no value is taken for a formula, but negative numbers, which are none. */
const plainKinds: ReadonlySet<CellKind> = new Set(['number', 'integer', 'integer-text', 'boolean'])

/** JSON in which a number that a double would round is text, which an import takes as the number. */
export function exactJson(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) =>
    member instanceof NumberText ? member.text : member,
  )
}

/**
 * The value of a cell, as a body of the API has it. What is no value of its kind stays text, which the rules of the
 * API refuse in their words.
 * @param language in which cells may be written as well
 * @throws ApiError for JSON that no body may hold, and for what may be either of two numbers
 */
export function fromCell(cell: string, kind: CellKind, language?: CellLanguage): unknown {
  if (cell === '') return kind === 'list' ? [] : null
  switch (kind) {
    case 'json':
    case 'list':
      return parsed(cell)
    case 'number':
    case 'integer':
      return toNumber(language?.number(cell, kind === 'integer') ?? cell)
    case 'integer-text':
      return (language?.number(cell, true) ?? cell).trim()
    case 'boolean':
      // Spreadsheets write them in capitals.
      if (/^(?:true|false)$/i.test(cell)) return cell.toLowerCase() === 'true'
      return language?.boolean(cell) ?? cell
    case 'date':
    case 'text': {
      const text = marked.test(cell) ? cell.slice(1) : cell
      return kind === 'date' && language !== undefined ? language.date(text) : text
    }
  }
}

/** Exactly: a decimal may have more digits than a double. */
function toNumber(cell: string): unknown {
  const text = cell.trim()
  if (!/^-?\d+(?:\.\d+)?(?:e[+-]?\d{1,3})?$/i.test(text)) return cell
  const number = Number(text)
  return plainDecimal(text) === plainDecimal(String(number)) ? number : new NumberText(text)
}

function parsed(cell: string): unknown {
  const isContainer = /^\s*[[{]/.test(cell)
  try {
    return isContainer ? parseJson(cell) : (JSON.parse(cell) as unknown)
  } catch (error) {
    if (error instanceof ApiError && error.code !== 'syntax') throw error
    return cell
  }
}
