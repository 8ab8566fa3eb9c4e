import type { Document } from 'mongodb'
import { referencesField } from '../values/references.js'
import type { ListedUnique } from '../values/unique-list.js'
import { uniquesField } from '../values/unique-list.js'

/** How an update pipeline changes the references in one field. */
export type FieldReferences = Readonly<{
  field: string
  /** The references after the update: a list of strings, or an expression that returns one. */
  texts: readonly string[] | Document
  /** Expression: whether the update writes the field; default: always. */
  isWritten?: Document
}>

/**
 * Returns the member of a `$set` that replaces the references of the given fields in a version's list of references.
 * Removes the list if it is empty. Does not compute the list from the version, so it cannot repair a wrong list.
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

/** How an update pipeline changes the unique values inside one component attribute. */
export type FieldUniques = Readonly<{ field: string; listed: readonly ListedUnique[] }> &
  Pick<FieldReferences, 'isWritten'>

/**
 * Returns the member of a `$set` that updates a version's list of unique values in components. Unlike the list of
 * references, an empty list stays stored.
 */
export function storeUniqueLists(parts: readonly FieldUniques[]): Document {
  if (parts.length === 0) return {}
  const written = parts.map((part) => ({
    ...part,
    isOf: { $eq: ['$$this.in', { $literal: part.field }] },
  }))
  return { [uniquesField]: listAnew(uniquesField, written) }
}

type Part = Readonly<{
  /** Expression: whether the list item `$$this` belongs to the field. */
  isOf: Document
  /** The field's list items after the update, or an expression that returns them. */
  listed: readonly unknown[] | Document
  isWritten?: Document | undefined
}>

/** Expression: the list, in which the items of the written fields are replaced. */
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

/**
 * Returns a stage that updates the list of references. In the pipeline, it must follow a stage that writes the relation
 * `field`.
 */
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

/**
 * Expression: whether the item `$$this` of the list is a reference in the field. Items begin with the field:
 * `author:…`, `sections[shared.hero].image:…`.
 */
function isUnder(field: string): Document {
  const begin = { $substrCP: ['$$this', 0, [...field].length + 1] }
  return { $in: [begin, { $literal: [`${field}:`, `${field}.`, `${field}[`] }] }
}
