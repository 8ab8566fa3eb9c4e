import type { ContentType, Status } from '../../schema/content-type.js'
import type { Locales } from './locale.js'
import { resolveWriteLocale } from './locale.js'
import { parameterConflict } from './failure.js'

/** Parameters next to `data` in a request body. */
export type BodyParameters = Readonly<{ status?: unknown; locale?: unknown }>

type Parameters = Readonly<{ status: Status; locale?: string | undefined }>
type Context = Locales & Readonly<{ ignored?: ((path: string) => void) | undefined }>

/**
 * Checks the parameters next to `data`, as in `{ "data": { … }, "status": "draft" }`. They must equal the query
 * parameters (docs/internals/decisions.md, "Sending back what was read").
 * @throws 400 that names the parameter, unless `ignored` is given
 */
export function checkBodyParameters(
  bodyParameters: BodyParameters,
  parameters: Parameters,
  type: ContentType,
  { ignored, ...locales }: Context,
): void {
  const { status, locale } = bodyParameters
  const isWritten = (): boolean => locale === resolveWriteLocale(type, parameters.locale, locales)
  const otherwise = {
    status: status !== undefined && status !== parameters.status,
    locale: locale !== undefined && type.localized && !isWritten(),
  }
  for (const key of ['status', 'locale'] as const) {
    if (!otherwise[key]) continue
    if (ignored === undefined) throw parameterConflict(key)
    ignored(key)
  }
}
