import type { Db } from 'mongodb'
import { boolean, object, string } from 'yup'
import type { Registry } from '../../engine/schema/registry.js'
import {
  checkMembers,
  type Items,
  type Problem,
  type Subject,
  type SubjectWriter,
} from '../configuration/subject.js'
import type { Services } from '../services.js'
import { readDefault } from './default-locale.js'
import { problemOf } from './fallback-chains.js'
import { fallback, localeCode } from './locale-bodies.js'
import { readLocales, toLocaleSet, type LocaleDocument, type Locales } from './locales.js'
import { contentIn, hasContent, removeLocale, type RemoveOptions } from './remove-locale.js'
import { createLocale, makeDefault, setFallback, updateLocale } from './write-locale.js'

const fields = object({
  name: string().min(1).max(50).required(),
  isDefault: boolean(),
  fallback,
})

/** Locales as configuration to export and apply: `{ "fr": { "name": "French (fr)", "isDefault": false } }`. */
export function localeSubject(db: Db, registry: () => Registry): Subject {
  return {
    name: 'locales',
    stored: async () => {
      const documents = await readLocales(db)
      const chosen = toLocaleSet(documents, await readDefault(db)).default
      return new Map(
        documents.map(({ code, name, fallback }) => [
          code,
          { name, isDefault: code === chosen, ...(fallback?.length ? { fallback } : {}) },
        ]),
      )
    },
    check: (code, given) => {
      const path = ['locales', code]
      const problems = checkMembers(fields, path, given)
      if (localeCode.test(code)) return problems
      return [{ path, message: 'must be a language tag such as fr-CA' }, ...problems]
    },
    checkAll: (given) => [...oneDefault(given), ...soundFallbacks(given)],
    defaults: () => ({ isDefault: false }),
    stays: async (code) => {
      const content = await contentIn({ db, registry }, code)
      return content.length === 0 ? undefined : hasContent(code, content)
    },
  }
}

/** Returns a problem unless exactly one locale in a configuration file is the default. */
function oneDefault(given: Items): readonly Problem[] {
  const chosen = [...given].filter(([, { isDefault }]) => isDefault === true)
  if (chosen.length === 1) return []
  const [, second] = chosen
  return second === undefined
    ? [{ path: ['locales'], message: 'one of them must be the default: { "isDefault": true }' }]
    : [{ path: ['locales', second[0], 'isDefault'], message: 'another locale is the default' }]
}

/**
 * Returns a problem for each locale in a configuration file that has an unknown fallback, or whose fallbacks lead back
 * to it.
 */
function soundFallbacks(given: Items): readonly Problem[] {
  const fallbacks = new Map(
    [...given].map(([code, { fallback }]) => [code, codesIn(fallback) ?? []]),
  )
  return [...given.keys()].flatMap((code) => {
    const message = problemOf(code, fallbacks)
    return message === undefined ? [] : [{ path: ['locales', code, 'fallback'], message }]
  })
}

const codesIn = (fallback: unknown): readonly string[] | undefined =>
  Array.isArray(fallback) ? fallback.filter((code) => typeof code === 'string') : undefined

/** Writes locales in the same way as the admin endpoints. */
export function localeWriter(
  services: Services,
  locales: Locales,
  options: RemoveOptions,
): SubjectWriter {
  const find = async (wanted: string): Promise<LocaleDocument | undefined> =>
    (await readLocales(services.db)).find(({ code }) => code === wanted)
  const settle = async (code: string, isDefault: unknown): Promise<void> => {
    // `isDefault: false` is ignored: the default changes only when another locale is set to `true`.
    if (isDefault === true) await makeDefault(services, code)
    await locales.refresh()
  }
  return {
    create: async (code, { name, isDefault, fallback }, by) => {
      await createLocale(services, { code, name: String(name) }, by)
      await setFallback(services, code, codesIn(fallback))
      await settle(code, isDefault)
    },
    change: async (code, { name, isDefault, fallback }, by) => {
      const locale = await find(code)
      if (locale !== undefined && name !== undefined)
        await updateLocale(services, locale, { name }, by)
      await setFallback(services, code, codesIn(fallback))
      await settle(code, isDefault)
    },
    remove: async (code, by) => {
      const locale = await find(code)
      if (locale !== undefined) await removeLocale(services, locales, { ...options, ...by, locale })
    },
  }
}
