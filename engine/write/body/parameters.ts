import { fail } from '../../errors.js'
import type { ContentType, Status } from '../../schema/content-type.js'

export type Locales = Readonly<{ locales: ReadonlySet<string>; defaultLocale: string }>

/**
 * Returns the locale of a create or update request; null if the type is not localized.
 * @throws 400 for `*` and unknown locales (docs/internals/decisions.md, "Locales that are not configured")
 */
export function resolveWriteLocale(
  type: ContentType,
  given: string | undefined,
  { locales, defaultLocale }: Locales,
): string | null {
  if (!type.localized) return null
  if (given === undefined || given === '') return defaultLocale
  if (given === '*')
    throw fail('validation', {
      message: 'Invalid locale param * provided. Document locales must be strings.',
    })
  if (!locales.has(given)) throw fail('validation', `The locale "${given}" is not configured`)
  return given
}

/**
 * Returns the locale of a delete request; `*` = all. In an unknown locale, nothing is deleted
 * (docs/internals/decisions.md, "What DELETE removes").
 */
export function resolveDeleteLocale(
  type: ContentType,
  given: string | undefined,
  { defaultLocale }: Locales,
): string | null {
  if (!type.localized) return null
  return given === undefined || given === '' ? defaultLocale : given
}

/** Parameters next to `data` in a request body. */
export type BodyParameters = Readonly<{ status?: unknown; locale?: unknown }>

type Parameters = Readonly<{ status: Status; locale?: string | undefined }>
type WriterContext = Locales & Readonly<{ ignored?: ((path: string) => void) | undefined }>

/**
 * Checks the parameters next to `data`, as in `{ "data": { … }, "status": "draft" }`. They must equal the query
 * parameters (docs/internals/decisions.md, "Sending back what was read").
 * @throws 400 that names the parameter, unless `ignored` is given
 */
export function checkBodyParameters(
  bodyParameters: BodyParameters,
  parameters: Parameters,
  type: ContentType,
  { ignored, ...locales }: WriterContext,
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

const parameters = {
  publishedAt: { parameter: 'status', what: 'whether a version is published' },
  status: { parameter: 'status', what: 'which version is written' },
  locale: { parameter: 'locale', what: 'which locale is written' },
} as const

/** Creates the error for a key that contradicts a query parameter. */
export function parameterConflict(key: keyof typeof parameters): Error {
  const { parameter, what } = parameters[key]
  const message = `Invalid key ${key}. Use the parameter ${parameter} to choose ${what}`
  return fail('validation', message, { key, path: null, source: 'body', parameter })
}
