import { ApiError } from '../../engine/errors.js'

/**
 * What is told where a write was done and its answer cannot be shown: the same error, which says so, with
 * `details.outcome` `done`; who did not know might write it again. What was thrown otherwise stays as it is.
 */
export function afterWrite(thrown: unknown): unknown {
  if (!(thrown instanceof ApiError)) return thrown
  const { code, params, details, headers } = thrown
  const key = textOf[code]
  if (key === undefined) return thrown
  const told = { ...params, [key]: `${done} ${String(params[key])}` }
  return new ApiError({ code, params: told, details: { ...details, outcome: 'done' }, headers })
}

const done = 'The write was done, but its answer cannot be shown.'

/** Which part of an error's text comes first. */
const textOf: Readonly<Partial<Record<ApiError['code'], string>>> = {
  'limit-exceeded': 'what',
  unavailable: 'message',
}
