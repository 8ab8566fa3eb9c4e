import type { Condition, Document } from 'mongodb'
import { referencesField, referenceText } from '../../values/references.js'

/**
 * Expression: the revision of a version after a write. It is higher than the stored revision, and at least `atLeast`
 * (milliseconds since 1970).
 */
export function nextRevision(atLeast: number): Document {
  return { $max: [{ $add: [{ $ifNull: ['$_revision', 0] }, 1] }, atLeast] }
}

/** Expression: the stored stamp of a field, which is the time at which the stored value was last written; 0 = never. */
export function stampOf(field: string): Document {
  return { $ifNull: [`$_stamps.${field}`, 0] }
}

/** Expression: the list in a field without references to the target. */
export function withoutTarget(field: string, target: string): Document {
  return {
    $filter: {
      input: { $ifNull: [`$${field}`, []] },
      cond: { $ne: ['$$this.documentId', { $literal: target }] },
    },
  }
}

/**
 * Returns the update of a relation's stamp, for a write from the inverse side. The new stamp keeps a publish that has
 * read the owner earlier from undoing this write.
 */
export function stampNow(field: string, now: number): Document {
  return { [`_stamps.${field}`]: { $max: [{ $add: [stampOf(field), 1] }, now] } }
}

/**
 * Returns a condition that lets a query use the index on the lists of references. Only needed for relations without an
 * index of their own (`listed`); empty for all others.
 */
export function listing(
  listed: true | undefined,
  field: string,
  targets: readonly string[],
): Document {
  if (listed === undefined) return {}
  return { [referencesField]: { $in: targets.map((target) => referenceText(field, target)) } }
}

/** Condition that a field equals one of several values. Uses `$eq` for a single value, because it is faster. */
export function oneOf<T>(values: readonly T[]): Condition<T> {
  const [only] = values
  return (values.length === 1 ? { $eq: only } : { $in: values }) as Condition<T>
}
