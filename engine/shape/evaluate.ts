import escapeRegExp from 'escape-string-regexp'
import type { BoundCondition } from '../plan/bound-condition.js'
import type { SortKey, Test, Value } from '../plan/read-plan.js'
import type { Stored } from '../plan/stored.js'
import { valueAt, valuesOf } from '../plan/stored.js'

/** Whether a component value satisfies a condition, as MongoDB would say of a document. */
export function evaluate(condition: BoundCondition, value: Stored): boolean {
  switch (condition.kind) {
    case 'all':
      return condition.of.every((member) => evaluate(member, value))
    case 'any':
      return condition.of.some((member) => evaluate(member, value))
    case 'test':
      return evaluateTest(condition.test, valueAt(value, condition.path))
    case 'element': {
      const elements = valuesOf(valueAt(value, condition.path))
      if (elements.length === 0) return condition.orEmpty
      return elements.some((element) => evaluate(condition.of, element))
    }
    case 'keys': {
      const path = condition.path.replace(/\.documentId$/, '')
      const found = valuesOf(valueAt(value, path)).some((reference) =>
        condition.values.includes(reference['documentId'] as string),
      )
      return found !== condition.not
    }
  }
}

/** Component values in the order of the keys; equal ones keep their place. */
export function sortValues(values: readonly Stored[], keys: readonly SortKey[]): readonly Stored[] {
  if (keys.length === 0) return values
  return values.toSorted((a, b) => {
    for (const { path, direction } of keys) {
      const order = compare(valueAt(a, path), valueAt(b, path))
      if (order !== 0) return order * direction
    }
    return 0
  })
}

function evaluateTest(test: Test, stored: unknown): boolean {
  if (test.op === 'null') return stored === null
  if (stored === null) return false
  switch (test.op) {
    case 'notNull':
      return true
    case 'in':
      return test.values.some((value) => against(stored, value) === 0)
    case 'notIn':
      return test.values.every((value) => against(stored, value) !== 0)
    case 'lt':
      return against(stored, test.value) < 0
    case 'lte':
      return against(stored, test.value) <= 0
    case 'gt':
      return against(stored, test.value) > 0
    case 'gte':
      return against(stored, test.value) >= 0
    case 'between':
    case 'notBetween': {
      const [low, high] = test.values
      return (against(stored, low) >= 0 && against(stored, high) <= 0) === (test.op === 'between')
    }
    case 'match':
      return test.texts.some((text) => matches(test, text, typeof stored === 'string' ? stored : '')) !== test.negated
  }
}

function matches(
  { how, insensitive }: Extract<Test, { op: 'match' }>,
  text: string,
  stored: string,
): boolean {
  const source = {
    equals: ['^', '$'],
    contains: ['', ''],
    startsWith: ['^', ''],
    endsWith: ['', '$'],
  }[how]
  const pattern = new RegExp(
    `${source[0]}${escapeRegExp(text)}${source[1]}`,
    insensitive ? 'isu' : 'su',
  )
  return pattern.test(stored)
}

const against = (stored: unknown, value: Value): number => compare(stored, comparable(value))

function comparable(value: Value): unknown {
  if (value.as === 'date') return new Date(value.value)
  if (value.as === 'long') return BigInt(value.value)
  return value.as === 'decimal' ? Number(value.value) : value.value
}

/** Null first, then by value; text by code point (D12), which UTF-16 units do not give. */
function compare(a: unknown, b: unknown): number {
  if (a === null || b === null) return Number(a !== null) - Number(b !== null)
  if (typeof a === 'string' && typeof b === 'string')
    return Buffer.compare(Buffer.from(a), Buffer.from(b))
  const [left, right] = [toNumeric(a), toNumeric(b)]
  return left < right ? -1 : left > right ? 1 : 0
}

function toNumeric(value: unknown): number | bigint {
  if (typeof value === 'bigint' || typeof value === 'number') return value
  return value instanceof Date ? value.getTime() : Number(value)
}
