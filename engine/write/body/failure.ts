import { failAll } from '../../errors.js'

/** One error in a body, as a member of `details.errors`. */
export type Failure = Readonly<{
  /** Such as `['seo', 'social', '0', 'network']`; empty for the body as a whole. */
  path: readonly string[]
  message: string
  value: unknown
  help?: Help | undefined
}>

/** What Quire adds to Strapi's errors. `bound` is the name of the violated rule, `limit` its value. */
export type Help = Readonly<{
  expected?: string
  bound?: string
  limit?: number
  suggestion?: string
}>

/**
 * Throws one error for all failures, if there are any. Its message is that of the only failure or, if there are
 * several, names their number.
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

export const placeDetails = (path: Failure['path']) => ({ path: path.join('.'), source: 'body' })

/** Creates an error for one failure that is found too late to be reported together with others. */
export function attributeError(path: Failure['path'], message: string, value?: unknown): Error {
  return errorOf([{ path, message, value }])
}
