import { fail } from '../../errors.js'

const parameters = {
  publishedAt: { parameter: 'status', what: 'whether a version is published' },
  status: { parameter: 'status', what: 'which version is written' },
  locale: { parameter: 'locale', what: 'which locale is written' },
} as const

/** Creates the error for a key of a body that contradicts a parameter, which it names. */
export function parameterConflict(key: keyof typeof parameters): Error {
  const { parameter, what } = parameters[key]
  const message = `Invalid key ${key}: ${what} is said by the parameter ${parameter}`
  return fail('validation', message, { key, path: null, source: 'body', parameter })
}
