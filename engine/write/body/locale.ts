import { fail } from '../../errors.js'
import type { ContentType } from '../../schema/content-type.js'

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
