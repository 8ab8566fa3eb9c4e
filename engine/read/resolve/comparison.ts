import type { ComparisonOperator, RawFilter, RawValue } from '../parse/raw-query.js'
import { parseFlag } from '../../values/parse-flag.js'
import type { Sent } from './query.js'
import type { Slots } from './slots.js'

/** A comparison without its values. The result of resolving it is valid for every request of the same shape. */
export type Comparison = Readonly<{
  operator: ComparisonOperator
  kinds: ValueKinds
  valuesOf: (sent: Sent) => readonly RawValue[]
}>

type RawComparison = Extract<RawFilter, { kind: 'is' }>

/**
 * For `$null` and `$notNull`: `yes` or `no`. For `$eq`, `$ne`, `$in` and `$notIn`, the kinds of their values: `n`
 * (null), `i` (could be a record id) and `t` (any other string). Otherwise empty.
 */
export type ValueKinds = string

const memberships: ReadonlySet<string> = new Set(['$eq', '$ne', '$in', '$notIn'])

export function kindsOf({ operator, values }: RawComparison): ValueKinds {
  if (operator === '$null' || operator === '$notNull') return isTrue(values[0]) ? 'yes' : 'no'
  if (!memberships.has(operator)) return ''
  return (
    (values.includes(null) ? 'n' : '') +
    (values.some(isId) ? 'i' : '') +
    (values.some(isOtherText) ? 't' : '')
  )
}

export function comparisonOf(raw: RawComparison, slots: Slots): Comparison {
  return {
    operator: raw.operator,
    kinds: kindsOf(raw),
    valuesOf: slots.valuesOf(raw.values),
  }
}

/** Restricts a comparison to the values of some kinds. */
export function partOf(comparison: Comparison, kinds: ValueKinds): Comparison {
  const kept = (value: RawValue): boolean => kinds.includes(kindOf(value))
  return {
    ...comparison,
    kinds: [...comparison.kinds].filter((kind) => kinds.includes(kind)).join(''),
    valuesOf: (sent) => comparison.valuesOf(sent).filter(kept),
  }
}

const isId = (value: RawValue): boolean => kindOf(value) === 'i'
const isOtherText = (value: RawValue): boolean => kindOf(value) === 't'

function kindOf(value: RawValue): 'n' | 'i' | 't' {
  if (value === null) return 'n'
  return /^\d{1,15}$/.test(value) ? 'i' : 't'
}

const isTrue = (value: RawValue | undefined): boolean => parseFlag(value ?? '')
