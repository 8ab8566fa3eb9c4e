import type { Document } from 'mongodb'
import { referencesField } from '../values/references.js'
import type { ListedUnique } from '../values/unique-list.js'
import { uniquesField } from '../values/unique-list.js'

/** What becomes of the references of one field in an update that is a pipeline. */
export type FieldReferences = Readonly<{
  /** Stored name. */
  field: string
  /** What it refers to afterwards: a list of texts, or an expression that yields one. */
  texts: readonly string[] | Document
  /** Expression: whether the field is written at all; undefined = it is. */
  isWritten?: Document
}>

/**
 * For a `$set`: the list of a version's references after some of its fields were written. Those of other
 * fields stay, and a version that refers to nothing has no list. The updates that use this do not know the
 * version they change, so they can only keep a list right that is.
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

/** The change of the unique values under one attribute in such an update. */
export type FieldUniques = Readonly<{ field: string; listed: readonly ListedUnique[] }> &
  Pick<FieldReferences, 'isWritten'>

/** The same for the list of unique values in components, which stays where it is empty. */
export function listUniques(parts: readonly FieldUniques[]): Document {
  if (parts.length === 0) return {}
  const written = parts.map((part) => ({
    ...part,
    isOf: { $eq: ['$$this.in', { $literal: part.field }] },
  }))
  return { [uniquesField]: listAnew(uniquesField, written) }
}

type Part = Readonly<{
  /** Expression: whether `$$this` of the list is of the field. */
  isOf: Document
  /** Its listed values after the update, or an expression that yields them. */
  listed: readonly unknown[] | Document
  isWritten?: Document | undefined
}>

/** An expression: a list without what it says of some fields, and with what is said of them now. */
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

/** A stage behind the one that wrote a relation of the entry itself: its references as they are then. */
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

/** Whether `$$this` is of the field: `author:…`, `seo.image:…`, `sections[shared.hero].image:…`. */
function isUnder(field: string): Document {
  const begin = { $substrCP: ['$$this', 0, [...field].length + 1] }
  return { $in: [begin, { $literal: [`${field}:`, `${field}.`, `${field}[`] }] }
}
