import type { Document } from 'mongodb'
import { referencesField } from '../values/references.js'
import type { ListedUnique } from '../values/unique-list.js'
import { uniquesField } from '../values/unique-list.js'

/** How an update with a pipeline changes the references of one field. */
export type FieldReferences = Readonly<{
  /** Stored name. */
  field: string
  /** References of the field after the update: a list of texts, or an expression that yields one. */
  texts: readonly string[] | Document
  /** Expression: whether the field is written; undefined = always. */
  isWritten?: Document
}>

/**
 * Returns the members of a `$set` that bring a version's list of references up to date. References of other fields
 * stay. A version without references gets no list. The updates that use this function do not know the version that they
 * change, so they keep a correct list correct, but cannot repair a wrong list.
 */
export function listReferences(parts: readonly FieldReferences[]): Document {
  if (parts.length === 0) return {}
  const references = listAnew(
    referencesField,
    parts.map((part) => ({ ...part, isOf: isUnder(part.field), listed: part.texts })),
  )
  const kept = { $cond: [{ $eq: ['$$references', []] }, '$$REMOVE', '$$references'] }
  return { [referencesField]: { $let: { vars: { references }, in: kept } } }
}

/** How an update with a pipeline changes the unique values under one attribute. */
export type FieldUniques = Readonly<{ field: string; listed: readonly ListedUnique[] }> &
  Pick<FieldReferences, 'isWritten'>

/**
 * Returns the members of a `$set` that bring a version's list of unique values in components up to date. An empty list
 * stays.
 */
export function listUniques(parts: readonly FieldUniques[]): Document {
  if (parts.length === 0) return {}
  const written = parts.map((part) => ({
    ...part,
    isOf: { $eq: ['$$this.in', { $literal: part.field }] },
  }))
  return { [uniquesField]: listAnew(uniquesField, written) }
}

type Part = Readonly<{
  /** Expression: whether `$$this` of the list belongs to the field. */
  isOf: Document
  /** Values of the field in the list after the update, or an expression that yields them. */
  listed: readonly unknown[] | Document
  isWritten?: Document | undefined
}>

/** Expression: a list with the entries of some fields replaced. */
function listAnew(list: string, parts: readonly Part[]): Document {
  const isReplaced = ({ isOf, isWritten }: Part): Document =>
    isWritten === undefined ? isOf : { $and: [isWritten, isOf] }
  const others = {
    $filter: {
      input: { $ifNull: [`$${list}`, []] },
      cond: { $not: [{ $or: parts.map(isReplaced) }] },
    },
  }
  return { $concatArrays: [others, ...parts.map(listedNow)] }
}

function listedNow({ listed, isWritten }: Part): Document {
  const list = Array.isArray(listed) ? { $literal: listed } : listed
  return isWritten === undefined ? list : { $cond: [isWritten, list, []] }
}

/** Returns the stage that updates the list of references after a stage that wrote an entry's own relation. */
export function listRelation(field: string): Document {
  const reference = { $ifNull: [`$${field}`, []] }
  const target = {
    $cond: [
      { $eq: [{ $type: '$$this.__type' }, 'string'] },
      { $concat: ['$$this.__type', ':', '$$this.documentId'] },
      '$$this.documentId',
    ],
  }
  const texts = {
    $map: {
      input: { $cond: [{ $isArray: [reference] }, reference, [reference]] },
      in: { $concat: [{ $literal: `${field}:` }, target] },
    },
  }
  return { $set: listReferences([{ field, texts }]) }
}

/** Expression: whether `$$this` belongs to the field: `author:…`, `seo.image:…`, `sections[shared.hero].image:…`. */
function isUnder(field: string): Document {
  const begin = { $substrCP: ['$$this', 0, [...field].length + 1] }
  return { $in: [begin, { $literal: [`${field}:`, `${field}.`, `${field}[`] }] }
}
