import { isDeepStrictEqual } from 'node:util'
import type { HttpAnswer } from '../conformance/http.js'
import { fillIn, type Names } from '../conformance/placeholders.js'
import { valueAt } from '../conformance/value-at.js'
import type { Expectation } from './bug-reports.js'

/** Describes the differences of a response from the expectation. */
export function findMistakes(
  { status, values = {}, notNull = [], disjoint = {}, says, ignored }: Expectation,
  { status: actual, headers, text, json }: HttpAnswer,
  names: Names,
): readonly string[] {
  const mistakes: string[] = []
  const fail = (message: string): void => void mistakes.push(message)
  if (status !== undefined && actual !== status) fail(`is ${actual}, not ${status}: ${text}`)
  else if (actual < 300) {
    for (const [path, expected] of Object.entries(fillIn(values, names))) {
      const value = valueAt(json, path) ?? null
      if (!isDeepStrictEqual(value, expected))
        fail(`${path} is ${JSON.stringify(value)}, not ${JSON.stringify(expected)}`)
    }
    for (const path of notNull) if ((valueAt(json, path) ?? null) === null) fail(`${path} is null`)
    for (const [path, name] of Object.entries(disjoint)) {
      const others = new Set(names.values[name] as readonly unknown[])
      const shared = (valueAt(json, path) as readonly unknown[]).filter((one) => others.has(one))
      if (shared.length > 0) fail(`${path} shares ${JSON.stringify(shared)} with ${name}`)
    }
  }
  if (says !== undefined && !text.includes(says)) fail(`does not say "${says}": ${text}`)
  const header = headers.get('quire-ignored')
  if (ignored !== undefined && header !== ignored) fail(`Quire-Ignored is ${header}`)
  return mistakes
}
