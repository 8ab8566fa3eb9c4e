import { failAll, fail } from '../../errors.js'

const parameters = {
  publishedAt: { parameter: 'status', what: 'whether a version is published' },
  status: { parameter: 'status', what: 'which version is written' },
  locale: { parameter: 'locale', what: 'which locale is written' },
} as const

/** Creates the error for a key of a body that contradicts a query parameter. The error names the parameter. */
export function parameterConflict(key: keyof typeof parameters): Error {
  const { parameter, what } = parameters[key]
  const message = `Invalid key ${key}. Use the parameter ${parameter} to choose ${what}`
  return fail('validation', message, { key, path: null, source: 'body', parameter })
}

/** One error in a body, in the form that responses contain in `details.errors`. */
export type Failure = Readonly<{
  /** Path in the body: `['seo', 'social', '0', 'network']`. Empty for the body as a whole. */
  path: readonly string[]
  message: string
  value: unknown
  help?: Help | undefined
}>

/** Members that Quire's errors have in addition to Strapi's. */
export type Help = Readonly<{
  expected?: string
  /** `bound` is the name of the violated rule in the definition, `limit` its value. */
  bound?: string
  limit?: number
  suggestion?: string
}>

/**
 * Throws one error for all failures; does nothing if there are none. If there is only one failure, the error has its
 * message. Otherwise the message states the number of failures.
 */
export function throwFailures(failures: readonly Failure[]): void {
  if (failures.length > 0) throw errorOf(failures)
}

const errorOf = (failures: readonly Failure[]): Error => failAll(failures.map(showFailure))

/** Converts a failure to a member of `details.errors`. */
export const showFailure = ({ path, message, value, help }: Failure) => ({
  path,
  message,
  name: 'ValidationError',
  ...(value === undefined ? {} : { value }),
  ...help,
})

/** Returns the `details` of an error at a single path of a body. */
export const placeDetails = (path: Failure['path']) => ({ path: path.join('.'), source: 'body' })

/**
 * Creates an error for one failure. Use it for failures that are found too late to be reported together with others.
 */
export function attributeError(path: Failure['path'], message: string, value?: unknown): Error {
  return errorOf([{ path, message, value }])
}
