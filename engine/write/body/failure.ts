import { failAll, fail } from '../../errors.js'

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

/** Throws all failures of one phase in one error. Its message is that of the only failure, or their number. */
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

/** Returns the details of an error about one place in a body that is thrown by itself. */
export const placeDetails = (path: Failure['path']) => ({ path: path.join('.'), source: 'body' })

/** Creates the error of one failure that is found too late to be reported with others. */
export function attributeError(path: Failure['path'], message: string, value?: unknown): Error {
  return errorOf([{ path, message, value }])
}
