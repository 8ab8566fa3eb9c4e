import { array, boolean, object, string } from 'yup'

/** Code of a locale, such as `en`, `fr-CA`, `zh-Hans-CN`. */
export const localeCode = /^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$/

/** Codes of fallback locales, the preferred ones first. */
export const fallback = array(string().required()).max(100)

/** Body of a request that creates a locale. */
export const newBody = object({
  code: string().matches(localeCode, 'code must be a language tag such as fr-CA').required(),
  name: string().min(1).max(50).required(),
  /** Required in Strapi. If absent, the locale does not become the default. */
  isDefault: boolean(),
  fallback,
})

/** Body of a request that changes a locale. */
export const changeBody = object({
  name: string().min(1).max(50),
  isDefault: boolean(),
  fallback,
})
