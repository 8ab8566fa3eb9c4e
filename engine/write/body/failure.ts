import { failAll, fail } from '../../errors.js'

const parameters = {
  publishedAt: { parameter: 'status', what: 'whether a version is published' },
  status: { parameter: 'status', what: 'which version is written' },
  locale: { parameter: 'locale', what: 'which locale is written' },
} as const

/** Creates the error for a key of a body that contradicts a parameter. The error names the parameter. */
export function parameterConflict(key: keyof typeof parameters): Error {
  const { parameter, what } = parameters[key]
  const message = `Invalid key ${key}. Use the parameter ${parameter} to choose ${what}`
  return fail('validation', message, { key, path: null, source: 'body', parameter })
}

/** One error of a body, as `details.errors` shows it. */
export type Failure = Readonly<{
  /** `['seo', 'social', '0', 'network']`; empty for the body as a whole. */
  path: readonly string[]
  message: string
  value: unknown
  help?: Help | undefined
}>

/** Members of an error that Strapi's errors do not have. */
export type Help = Readonly<{
  expected?: string
  /** Name and value of the violated rule of the definition. */
  bound?: string
  limit?: number
  suggestion?: string
}>

/**
 * Throws all failures of one phase in one error. The error's message is that of the only failure, or the number of
 * failures.
 */
export function throwFailures(failures: readonly Failure[]): void {
  if (failures.length > 0) throw errorOf(failures)
}

const errorOf = (failures: readonly Failure[]): Error => failAll(failures.map(showFailure))

/** Returns a failure as a member of `details.errors`. */
export const showFailure = ({ path, message, value, help }: Failure) => ({
  path,
  message,
  name: 'ValidationError',
  ...(value === undefined ? {} : { value }),
  ...help,
})

/** Returns the details of an error that reports only one place in a body. */
export const placeDetails = (path: Failure['path']) => ({ path: path.join('.'), source: 'body' })

/** Creates the error of a single failure that is found too late to be reported together with other failures. */
export function attributeError(path: Failure['path'], message: string, value?: unknown): Error {
  return errorOf([{ path, message, value }])
}
