import type { Condition, Document } from 'mongodb'
import { referencesField, referenceText } from '../../values/references.js'

/** Expression: the next revision of a version, at least `atLeast` (milliseconds since 1970). */
export function nextRevision(atLeast: number): Document {
  return { $max: [{ $add: [{ $ifNull: ['$_revision', 0] }, 1] }, atLeast] }
}

/** Expression: when the stored value of a field was last written; 0 = never. */
export function stampOf(field: string): Document {
  return { $ifNull: [`$_stamps.${field}`, 0] }
}

/** Expression: the list without references to the target. */
export function withoutTarget(field: string, target: string): Document {
  return {
    $filter: {
      input: { $ifNull: [`$${field}`, []] },
      cond: { $ne: ['$$this.documentId', { $literal: target }] },
    },
  }
}

/**
 * Returns an update of a relation's stamp by a write from the inverse side. A publish that read the owner earlier then
 * keeps this write.
 */
export function stampNow(field: string, now: number): Document {
  return { [`_stamps.${field}`]: { $max: [{ $add: [stampOf(field), 1] }, now] } }
}

/**
 * Returns a condition with which a query of a relation without an index of its own (`listed`) uses the index on the
 * lists of references.
 */
export function listing(
  listed: true | undefined,
  field: string,
  targets: readonly string[],
): Document {
  if (listed === undefined) return {}
  return { [referencesField]: { $in: targets.map((target) => referenceText(field, target)) } }
}

/** Condition that a field equals one of several values. `$eq` is faster for a single value. */
export function oneOf<T>(values: readonly T[]): Condition<T> {
  const [only] = values
  return (values.length === 1 ? { $eq: only } : { $in: values }) as Condition<T>
}
