import type { Answer, JsonValue } from './records.js'

/** Members of error details that Strapi does not have (docs/internals/decisions.md, "Paths in validation errors"). */
const further: ReadonlySet<string> = new Set([
  ...['path', 'source', 'param', 'expected', 'received', 'suggestion', 'bound', 'limit', 'errors'],
])

/** Removes members in `further` from the error details of an answer, unless the expected answer has them too. */
export function withoutMore(expected: Answer, actual: Answer): Answer {
  const [theirs, ours] = [errorOf(expected), errorOf(actual)]
  if (!isObject(theirs?.['details']) || !isObject(ours?.['details'])) return actual
  const details = common(theirs['details'], ours['details'])
  return { ...actual, body: { ...(actual.body as Members), error: { ...ours, details } } }
}

type Members = Readonly<Record<string, JsonValue>>

function common(expected: Members, actual: Members): Members {
  const { errors: theirs } = expected
  return Object.fromEntries(
    Object.entries(actual)
      .filter(([key]) => Object.hasOwn(expected, key) || !further.has(key))
      .map(([key, value]) =>
        key === 'errors' && Array.isArray(theirs) && Array.isArray(value)
          ? [key, value.map((one, at) => commonOf(theirs[at] as JsonValue, one as JsonValue))]
          : [key, value],
      ),
  )
}

const commonOf = (expected: JsonValue | undefined, actual: JsonValue): JsonValue =>
  isObject(expected) && isObject(actual) ? common(expected, actual) : actual

function errorOf({ body }: Answer): Members | undefined {
  const error = isObject(body) ? body['error'] : undefined
  return isObject(error) ? error : undefined
}

const isObject = (value: JsonValue | undefined): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
