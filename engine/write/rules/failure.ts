import { failAll } from '../../errors.js'

/** One thing that is wrong with a body, as `details.errors` tells it. */
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
  /** Name and value of the rule of the definition that was broken. */
  bound?: string
  limit?: number
  suggestion?: string
}>

/** All failures of one phase in one error; the only one's message, or their number. */
export function throwFailures(failures: readonly Failure[]): void {
  if (failures.length > 0) throw errorOf(failures)
}

const errorOf = (failures: readonly Failure[]): Error => failAll(failures.map(showFailure))

/** A failure as a member of `details.errors`. */
export const showFailure = ({ path, message, value, help }: Failure) => ({
  path,
  message,
  name: 'ValidationError',
  ...(value === undefined ? {} : { value }),
  ...help,
})

/** Details of an error that names a place in a body, where it is one that is told alone. */
export const placeDetails = (path: Failure['path']) => ({ path: path.join('.'), source: 'body' })

/** The error of one failure that comes too late to be told with others. */
export function attributeError(path: Failure['path'], message: string, value?: unknown): Error {
  return errorOf([{ path, message, value }])
}
