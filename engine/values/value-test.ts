/**
 * A test of the value of one scalar attribute, made from a filter. Plain data, so that it can be sent to another
 * thread. A stored null passes only the test `null`.
 */
export type Test =
  | Readonly<{ op: 'null' | 'notNull'; json?: true }>
  | Readonly<{ op: 'in' | 'notIn'; values: readonly Value[] }>
  | Readonly<{ op: 'lt' | 'lte' | 'gt' | 'gte'; value: Value }>
  | Readonly<{ op: 'between' | 'notBetween'; values: readonly [Value, Value] }>
  /**
   * Passes if any of `texts` (with `every`: each of them) matches; `negated` inverts the result. `numeric`: the stored
   * value is a number, compared as text.
   */
  | Readonly<{
      op: 'match'
      how: 'equals' | 'contains' | 'startsWith' | 'endsWith'
      insensitive: boolean
      negated: boolean
      texts: readonly string[]
      every?: true
      numeric?: true
    }>
  /** Tests the values at a path in a JSON attribute. `negated`: passes if there are values and none of them matches. */
  | Readonly<{ op: 'at'; keys: readonly string[]; of: JsonTest; negated: boolean }>

/**
 * A test of a value inside a JSON attribute (docs/internals/decisions.md, "Paths into JSON"). Because the value's type
 * is unknown, each of `texts` is compared as every JSON value that it can mean (`meaningsOf`). Passes if one of the
 * texts (with `every`: each of them) matches.
 */
export type JsonTest =
  | Readonly<{ op: 'null' }>
  | Readonly<{ op: 'in' | 'lt' | 'lte' | 'gt' | 'gte'; texts: readonly string[] }>
  | Readonly<{ op: 'between'; texts: readonly [string, string] }>
  | Readonly<{
      op: 'match'
      how: 'equals' | 'contains' | 'startsWith' | 'endsWith'
      insensitive: boolean
      texts: readonly string[]
      every?: true
    }>

export type NumberTest = Extract<Test, { op: 'match' }> & Readonly<{ numeric: true }>
/** A test of a value that the database must first compute, without an index. */
export type ComputedTest = NumberTest | Extract<Test, { op: 'at' }>

export function isComputed(test: Test): test is ComputedTest {
  return test.op === 'at' || (test.op === 'match' && test.numeric === true)
}

/** Whether a test is for null. Such a test contains no value to compare with. */
export function isNullTest(test: Test): boolean {
  return test.op === 'null' || (test.op === 'at' && test.of.op === 'null' && !test.negated)
}

/** A value in the stored type of its attribute. */
export type Value =
  /** The digits of a 64-bit integer (`long`) or of a Decimal128. */
  | Readonly<{ as: 'text' | 'long' | 'decimal'; value: string }>
  /** Milliseconds since 1970. */
  | Readonly<{ as: 'number' | 'date'; value: number }>
  | Readonly<{ as: 'boolean'; value: boolean }>
