import { ApiError } from '../../engine/errors.js'
import { plainDecimal } from '../../engine/values/decimal.js'
import { NumberText } from '../../engine/values/number-text.js'
import { parseJson } from '../http/request/parse-json.js'
import type { CellLanguage } from './cell-language.js'
import type { CellKind } from './columns.js'

/**
 * Matches strings that need an apostrophe: the empty one, which would mean null, and formulas of spreadsheets. Also
 * matches these if they already begin with apostrophes, so that an import can always remove one.
 */
const inNeedOfMark = /^'*(?:[=+\-@\t\r\n]|$)/
const marked = /^'+(?:[=+\-@\t\r\n]|$)/

/**
 * Returns a CSV cell. An empty cell means null. Strings that are empty, or that a spreadsheet would run as a formula,
 * begin with an apostrophe, which spreadsheets hide. Lists and objects are JSON.
 */
export function toCell(value: unknown, kind: CellKind): string {
  if (value === null || value === undefined) return ''
  if (kind === 'json' || kind === 'list') return exactJson(value)
  if (value instanceof NumberText) return value.text
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  if (plainKinds.has(kind)) return text
  return inNeedOfMark.test(text) ? `'${text}` : text
}

/** Kinds whose cells never begin with an apostrophe: a negative number begins like a formula, but is none. */
const plainKinds: ReadonlySet<CellKind> = new Set(['number', 'integer', 'integer-text', 'boolean'])

/** Returns JSON. A number that a double cannot represent becomes a string, from which an import reads it exactly. */
export function exactJson(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) =>
    member instanceof NumberText ? member.text : member,
  )
}

/**
 * Returns the value of a cell for an API body. A cell that does not match the kind stays a string, which the API's
 * validation rejects.
 * @param language in which cells may be written, in addition to the API's format
 * @throws ApiError for JSON beyond the limits of bodies, and for ambiguous numbers
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
      // Spreadsheets write TRUE and FALSE.
      if (/^(?:true|false)$/i.test(cell)) return cell.toLowerCase() === 'true'
      return language?.boolean(cell) ?? cell
    case 'date':
    case 'text': {
      const text = marked.test(cell) ? cell.slice(1) : cell
      return kind === 'date' && language !== undefined ? language.date(text) : text
    }
  }
}

/** Returns a number, or `NumberText` with all digits if a double cannot represent the number. */
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
