import type { Document } from 'mongodb'
import type { Find } from './as-find.js'

/** A `find` of one document by its documentId, of one locale where its type has several, and by nothing else. */
export type FindDocument = Readonly<{
  documentId: string
  locale: string | undefined
  find: Find
}>

/** Undefined for any other `find` of one document. */
export function asFindDocument(find: Find): FindDocument | undefined {
  const { filter, options } = find
  if (options.sort !== undefined || options.skip !== undefined) return undefined
  const isAll = Object.keys(filter).length === 1 && '$and' in filter
  const conditions = isAll ? (filter['$and'] as readonly Document[]) : [filter]
  const [first, second] = conditions
  const documentId = equalText(first, 'documentId')
  const locale = equalText(second, 'locale')
  if (documentId === undefined || conditions.length > 2) return undefined
  return conditions.length === 1 || locale !== undefined ? { documentId, locale, find } : undefined
}

/** The text that a condition asks a field to equal; undefined where it asks for anything else, or for more. */
function equalText(condition: Document | undefined, field: string): string | undefined {
  const test = onlyMember(condition, field)
  const value = onlyMember(test, '$eq')
  return typeof value === 'string' ? value : undefined
}

function onlyMember(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined
  const [[key, member] = [], ...more] = Object.entries(value)
  return key === name && more.length === 0 ? member : undefined
}
