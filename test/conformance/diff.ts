import type { Answer, JsonValue } from './records.js'

/** One difference of two answers, by path: `.body.data[0].title`. `undefined` means that the member is absent. */
export type Difference = Readonly<{
  path: string
  expected: JsonValue | undefined
  actual: JsonValue | undefined
}>

/** Returns every difference of bodies, content types and compared headers. The status is not compared. */
export const differences = (expected: Answer, actual: Answer): readonly Difference[] => [
  ...diff(view(expected), view(actual), ''),
]

export const isSame = (expected: Answer, actual: Answer): boolean =>
  expected.status === actual.status && diff(view(expected), view(actual), '').next().done === true

type Node = JsonValue | undefined
type Members = { readonly [key: string]: Node }

const view = (answer: Answer): Members => ({
  body: answer.body,
  contentType: answer.contentType,
  headers: answer.headers ?? null,
})

function* diff(
  expected: Node | Members,
  actual: Node | Members,
  path: string,
): Generator<Difference> {
  if (expected === actual) return
  if (isArray(expected) && isArray(actual)) {
    if (expected.length !== actual.length)
      yield { path: `${path}.length`, expected: expected.length, actual: actual.length }
    for (let i = 0; i < Math.min(expected.length, actual.length); i++)
      yield* diff(expected[i], actual[i], `${path}[${i}]`)
  } else if (isObject(expected) && isObject(actual)) {
    for (const key of new Set([...Object.keys(expected), ...Object.keys(actual)])) {
      if (Object.hasOwn(expected, key) && Object.hasOwn(actual, key))
        yield* diff(expected[key], actual[key], `${path}.${key}`)
      else yield { path: `${path}.${key}`, expected: expected[key], actual: actual[key] }
    }
  } else {
    yield { path: path || '(root)', expected: expected as Node, actual: actual as Node }
  }
}

const isArray = (value: unknown): value is readonly JsonValue[] => Array.isArray(value)
const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
