/**
 * What is asked of one scalar: resolve makes it of a filter, and everything after it reads it. Plain
 * data that survives the way to another thread. Null satisfies `null` alone.
 */
export type Test =
  /** `json`: of a value that may be a list, whose elements are not asked. */
  | Readonly<{ op: 'null' | 'notNull'; json?: true }>
  | Readonly<{ op: 'in' | 'notIn'; values: readonly Value[] }>
  | Readonly<{ op: 'lt' | 'lte' | 'gt' | 'gte'; value: Value }>
  | Readonly<{ op: 'between' | 'notBetween'; values: readonly [Value, Value] }>
  /**
   * Any of the texts, or with `every` all of them; `negated`: the opposite. `numeric`: what is stored is a number,
   * and asked for its text.
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
  /** Of what stands at a path in JSON; `negated`: something other than null stands there, and none of it does. */
  | Readonly<{ op: 'at'; keys: readonly string[]; of: JsonTest; negated: boolean }>

/**
 * What is asked of a value in JSON, whose type nobody knows (docs/decisions.md, "Paths into JSON"): texts are as
 * they were sent, and mean whatever they could (`meaningsOf`). Where there are several, any; `every`: all of them.
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
/** A test of what is made of a stored value, which no query operator can say, and no index serves. */
export type ComputedTest = NumberTest | Extract<Test, { op: 'at' }>

export function isComputed(test: Test): test is ComputedTest {
  return test.op === 'at' || (test.op === 'match' && test.numeric === true)
}

/** Whether it asks for null, which needs no value. */
export function isNullTest(test: Test): boolean {
  return test.op === 'null' || (test.op === 'at' && test.of.op === 'null' && !test.negated)
}

/** A value with the type that its attribute is stored as. */
export type Value =
  /** `long`: the digits of a 64-bit integer; `decimal`: those of a Decimal128. */
  | Readonly<{ as: 'text' | 'long' | 'decimal'; value: string }>
  /** `date`: milliseconds since 1970. */
  | Readonly<{ as: 'number' | 'date'; value: number }>
  | Readonly<{ as: 'boolean'; value: boolean }>
