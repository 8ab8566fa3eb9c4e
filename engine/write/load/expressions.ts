import type { Condition, Document } from 'mongodb'
import { referencesField, referenceText } from '../../values/references.js'

/**
 * Expression: the revision after a write. It is higher than the present one, and at least `atLeast` (milliseconds since
 * 1970).
 */
export function nextRevision(atLeast: number): Document {
  return { $max: [{ $add: [{ $ifNull: ['$_revision', 0] }, 1] }, atLeast] }
}

/** Expression: when a field was last written from another version; 0 = never. */
export function stampOf(field: string): Document {
  return { $ifNull: [`$_stamps.${field}`, 0] }
}

/** Expression: a list of references without those to a target. */
export function withoutTarget(field: string, target: string): Document {
  return {
    $filter: {
      input: { $ifNull: [`$${field}`, []] },
      cond: { $ne: ['$$this.documentId', { $literal: target }] },
    },
  }
}

/**
 * Stamps a relation as written from its inverse side. A publish that read the entry before must not undo this write.
 */
export function stampNow(field: string, now: number): Document {
  return { [`_stamps.${field}`]: { $max: [{ $add: [stampOf(field), 1] }, now] } }
}

/**
 * Returns a filter that finds entries by their lists of references, for a relation without an index. Otherwise empty.
 */
export function listing(
  listed: true | undefined,
  field: string,
  targets: readonly string[],
): Document {
  if (listed === undefined) return {}
  return { [referencesField]: { $in: targets.map((target) => referenceText(field, target)) } }
}

/** Condition for one of several values. `$eq` is faster for a single one. */
export function oneOf<T>(values: readonly T[]): Condition<T> {
  const [only] = values
  return (values.length === 1 ? { $eq: only } : { $in: values }) as Condition<T>
}
