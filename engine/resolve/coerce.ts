import { fail } from '../errors.js'
import type { Place } from '../parse/raw-query.js'
import type { ScalarAttribute } from '../schema/attribute.js'
import { misread } from '../values/reading.js'
import { valueForms } from '../values/value-forms.js'
import type { Value } from '../values/value-test.js'

/**
 * A value of a filter as the type that its attribute is stored as. Throws a 400 that says what was
 * expected and what was received; Strapi's wording where it has one.
 */
export function coerce({ type }: ScalarAttribute, text: string, place: Place): Value {
  const reading = valueForms[type].parse?.(text) ?? misread('a value that can be compared')
  if (reading.as !== 'nothing') return reading
  const { expected, message } = reading
  throw message === undefined ? mismatch(expected, text, place) : fail('validation', { message })
}

function mismatch(expected: string, received: string, { path, param }: Place): Error {
  const at = path.join('.')
  return fail(
    'validation',
    {
      message: `Invalid value at ${at}. Expected ${expected}, received: ${received.slice(0, 100)}`,
    },
    { path: at, expected, received: received.slice(0, 100), source: 'query', param },
  )
}
