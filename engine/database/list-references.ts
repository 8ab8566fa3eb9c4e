import type { Document } from 'mongodb'
import { referencesField } from '../values/references.js'

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
  const listed = { $ifNull: [`$${referencesField}`, []] }
  const others = {
    $filter: { input: listed, cond: { $not: [{ $or: parts.map(isReplaced) }] } },
  }
  const references = { $concatArrays: [others, ...parts.map(textsOf)] }
  const kept = { $cond: [{ $eq: ['$$references', []] }, '$$REMOVE', '$$references'] }
  return { [referencesField]: { $let: { vars: { references }, in: kept } } }
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
function isReplaced({ field, isWritten }: FieldReferences): Document {
  const begin = { $substrCP: ['$$this', 0, [...field].length + 1] }
  const isOf = { $in: [begin, { $literal: [`${field}:`, `${field}.`, `${field}[`] }] }
  return isWritten === undefined ? isOf : { $and: [isWritten, isOf] }
}

function textsOf({ texts, isWritten }: FieldReferences): Document {
  const list = Array.isArray(texts) ? { $literal: texts } : texts
  return isWritten === undefined ? list : { $cond: [isWritten, list, []] }
}
