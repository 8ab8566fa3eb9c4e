import { ApiError, fail } from '../errors.js'
import { suggestionFor } from '../nearest-name.js'

/** A name that nothing answers to. `parent` is the path of names that lead to it. */
export function unknownName(
  name: string,
  parent: readonly string[],
  param: string,
  known: Iterable<string> = [],
): Error {
  const path = parent.length === 0 ? null : parent.join('.')
  return refuse(name, path, path, param, known)
}

/** A name that exists, but not for this purpose or not for this caller. `parent` as above. */
export function refusedName(name: string, parent: readonly string[], param: string): Error {
  const path = [...parent, name].join('.')
  return refuse(name, parent.length === 0 ? null : path, path, param)
}

function refuse(
  key: string,
  shown: string | null,
  path: string | null,
  param: string,
  known: Iterable<string> = [],
): Error {
  return fail(
    'invalid-key',
    { key, path: shown },
    { key, path, source: 'query', param, ...suggestionFor(key, known) },
  )
}

/** The same error without what was probably meant, for who may not know what there is to name. */
export function withoutSuggestion(error: unknown): unknown {
  if (!(error instanceof ApiError) || error.details?.['suggestion'] === undefined) return error
  return new ApiError({
    ...error.toMessage(),
    details: { ...error.details, suggestion: undefined },
  })
}
