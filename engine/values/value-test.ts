/**
 * A test of the value of one scalar attribute. The `resolve` stage creates it from a filter. It is plain data, so that
 * it can be sent to another thread. A stored null passes only the test `null`.
 */
export type Test =
  /** `json`: the attribute is stored as JSON. A list counts as one value, and its elements are not tested. */
  | Readonly<{ op: 'null' | 'notNull'; json?: true }>
  | Readonly<{ op: 'in' | 'notIn'; values: readonly Value[] }>
  | Readonly<{ op: 'lt' | 'lte' | 'gt' | 'gte'; value: Value }>
  | Readonly<{ op: 'between' | 'notBetween'; values: readonly [Value, Value] }>
  /**
   * Passes if any of `texts` matches, or with `every` if all of them match. `negated` inverts the result. `numeric`:
   * the stored value is a number, which is converted to a string for the comparison.
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
   * Tests the values at a path in a JSON attribute. With `negated`, the test passes if the path has values other than
   * null and none of them matches.
   */
  | Readonly<{ op: 'at'; keys: readonly string[]; of: JsonTest; negated: boolean }>

/**
 * A test of a value inside a JSON attribute (docs/internals/decisions.md, "Paths into JSON"). The type of such a value
 * is unknown, so each string in `texts`, which come from the query, is compared as every JSON value that it can mean
 * (`meaningsOf`). The test passes if one of the strings matches, or with `every` if all of them match.
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
/** A test of a value that the database must first compute. It cannot use a query operator or an index. */
export type ComputedTest = NumberTest | Extract<Test, { op: 'at' }>

export function isComputed(test: Test): test is ComputedTest {
  return test.op === 'at' || (test.op === 'match' && test.numeric === true)
}

/** Whether a test checks for null. Such a test contains no value to compare with. */
export function isNullTest(test: Test): boolean {
  return test.op === 'null' || (test.op === 'at' && test.of.op === 'null' && !test.negated)
}

/** A value in the stored type of its attribute. */
export type Value =
  /** `long`: the digits of a 64-bit integer. `decimal`: the digits of a Decimal128. */
  | Readonly<{ as: 'text' | 'long' | 'decimal'; value: string }>
  /** `date`: milliseconds since 1970. */
  | Readonly<{ as: 'number' | 'date'; value: number }>
  | Readonly<{ as: 'boolean'; value: boolean }>
