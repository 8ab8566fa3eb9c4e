import type { Condition, Document } from 'mongodb'
import { referencesField, referenceText } from '../../values/references.js'

/** The revision after a write: above the one that is there, and not below the time in milliseconds. */
export function nextRevision(atLeast: number): Document {
  return { $max: [{ $add: [{ $ifNull: ['$_revision', 0] }, 1] }, atLeast] }
}

/** When a field was last written from elsewhere; 0 = never. */
export function stampOf(field: string): Document {
  return { $ifNull: [`$_stamps.${field}`, 0] }
}

/** A list of references without that to a target. */
export function withoutTarget(field: string, target: string): Document {
  return {
    $filter: {
      input: { $ifNull: [`$${field}`, []] },
      cond: { $ne: ['$$this.documentId', { $literal: target }] },
    },
  }
}

/** Marks a relation as written from its other side, which a publish that read before must not undo. */
export function stampNow(field: string, now: number): Document {
  return { [`_stamps.${field}`]: { $max: [{ $add: [stampOf(field), 1] }, now] } }
}

/** For a filter on a relation without an index of its own: that entries list one of its targets. */
export function listing(
  listed: true | undefined,
  field: string,
  targets: readonly string[],
): Document {
  if (listed === undefined) return {}
  return { [referencesField]: { $in: targets.map((target) => referenceText(field, target)) } }
}

/** One value is matched the shorter way. */
export function oneOf<T>(values: readonly T[]): Condition<T> {
  const [only] = values
  return (values.length === 1 ? { $eq: only } : { $in: values }) as Condition<T>
}
