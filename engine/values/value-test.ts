/**
 * A test of one scalar, created from a filter in the stage `resolve`. Plain data that can be sent to another thread. A
 * stored null passes only the test `null`.
 */
export type Test =
  /** `json`: the value may be a list, whose elements are not tested. */
  | Readonly<{ op: 'null' | 'notNull'; json?: true }>
  | Readonly<{ op: 'in' | 'notIn'; values: readonly Value[] }>
  | Readonly<{ op: 'lt' | 'lte' | 'gt' | 'gte'; value: Value }>
  | Readonly<{ op: 'between' | 'notBetween'; values: readonly [Value, Value] }>
  /**
   * Matches any of the texts, or with `every` all of them. `negated`: the test passes if the match fails. `numeric`:
   * the stored value is a number, and its text is tested.
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
  /**
   * Tests the values at a path in JSON. `negated`: the test passes if there are values other than null and none of them
   * matches.
   */
  | Readonly<{ op: 'at'; keys: readonly string[]; of: JsonTest; negated: boolean }>

/**
 * A test of a value in JSON, whose type is unknown (docs/decisions.md, "Paths into JSON"). The texts are as sent, and
 * each is tested in all its possible meanings (`meaningsOf`). One of the texts has to match, or all of them with
 * `every`.
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
/** A test of a computed value, for which there is no query operator and no index. */
export type ComputedTest = NumberTest | Extract<Test, { op: 'at' }>

export function isComputed(test: Test): test is ComputedTest {
  return test.op === 'at' || (test.op === 'match' && test.numeric === true)
}

/** Whether a test is for null, which needs no value. */
export function isNullTest(test: Test): boolean {
  return test.op === 'null' || (test.op === 'at' && test.of.op === 'null' && !test.negated)
}

/** A value in the stored type of its attribute. */
export type Value =
  /** `long`: the digits of a 64-bit integer; `decimal`: those of a Decimal128. */
  | Readonly<{ as: 'text' | 'long' | 'decimal'; value: string }>
  /** `date`: milliseconds since 1970. */
  | Readonly<{ as: 'number' | 'date'; value: number }>
  | Readonly<{ as: 'boolean'; value: boolean }>
