import { ApiError, fail } from '../../engine/errors.js'
import { writerOf } from '../accounts/caller.js'
import {
  flag,
  list,
  members,
  moment,
  momentOrNull,
  text,
  textOrNull,
  whole,
} from '../http/routes/json-schemas.js'
import { reply, type HttpRequest, type Reply, type Route } from '../http/route.js'
import { showMembers } from '../http/response/show-members.js'
import { refusal, unknownKeysOf, validateBody } from '../http/request/validate-body.js'
import type { Services } from '../services.js'
import { adoptDefault, readDefault } from './default-locale.js'
import { problemOf } from './fallback-chains.js'
import {
  fallbacksOf,
  firstLocale,
  readLocales,
  toLocaleSet,
  type LocaleDocument,
  type Locales,
} from './locales.js'
import { removeLocale, type RemoveOptions } from './remove-locale.js'
import { forAdmins, routesOf } from '../http/routes/routes-of.js'
import { changeBody, newBody } from './locale-bodies.js'
import { createLocale, makeDefault, setFallback, updateLocale } from './write-locale.js'

/** Creates `en` as the default locale if no locale is stored. */
export async function ensureLocale(services: Services, locales: Locales): Promise<void> {
  if ((await readLocales(services.db)).length === 0) {
    try {
      await createLocale(services, firstLocale, { actor: null })
    } catch (error) {
      // `code` is unique, so this write fails if another process has already created the locale.
      if (!(error instanceof ApiError) || (await readLocales(services.db)).length === 0) throw error
    }
  }
  const documents = await readLocales(services.db)
  await adoptDefault(services.db, toLocaleSet(documents, undefined).default)
  await locales.refresh()
}

/**
 * Routes for admins at `/i18n/locales` (docs/internals/decisions.md, "Admins are apart"), and for reading at
 * `/api/i18n/locales`.
 */
export function localeRoutes(
  services: Services,
  locales: Locales,
  options: RemoveOptions,
): readonly Route[] {
  const tag = 'Locales'
  const lists = routesOf(
    { guard: { action: 'plugin::i18n.locales.listLocales' }, tag },
    {
      'GET /api/i18n/locales': {
        id: 'listLocales',
        summary: 'The configured locales',
        answer: list(localeAnswer),
        handle: async () => {
          const documents = await readLocales(services.db)
          const chosen = toLocaleSet(documents, await readDefault(services.db)).default
          return reply(
            200,
            documents.map((document) => show(document, chosen)),
          )
        },
      },
    },
  )
  const answer = async (id: string | undefined): Promise<Reply> => {
    await locales.refresh()
    return reply(200, show(await findLocale(services, id), locales.current().default))
  }
  const own = routesOf(
    { guard: 'admin', tag },
    {
      'POST /i18n/locales': {
        id: 'createLocale',
        summary: 'Add a locale',
        body: newBody,
        answer: localeAnswer,
        handle: async (request) => answer(String(await addLocale(services, request))),
      },
      'PUT /i18n/locales/:id': {
        id: 'changeLocale',
        summary: 'Change a locale',
        body: changeBody,
        answer: localeAnswer,
        handle: async (request) => {
          await changeLocale(services, request)
          return answer(request.params.id)
        },
      },
      'DELETE /i18n/locales/:id': {
        id: 'deleteLocale',
        summary: 'Delete a locale that has no content',
        answer: localeAnswer,
        handle: async (request) => {
          const locale = await findLocale(services, request.params.id)
          await removeLocale(services, locales, { ...options, ...writerOf(request), locale })
          return reply(200, show(locale, locales.current().default))
        },
      },
    },
  )
  return [...lists, ...lists.map(forAdmins), ...own]
}

async function addLocale(services: Services, request: HttpRequest): Promise<number> {
  const locale = validateBody(newBody, request.body)
  const taken = async () =>
    (await readLocales(services.db)).some(({ code }) => code === locale.code)
  if (await taken()) throw alreadyExists()
  await checkFallback(services, locale)
  const id = await createLocale(services, locale, writerOf(request)).catch(
    async (error: unknown) => {
      if (error instanceof ApiError && (await taken())) throw alreadyExists()
      throw error
    },
  )
  await setFallback(services, locale.code, locale.fallback)
  if (locale.isDefault) await makeDefault(services, locale.code)
  return id
}

async function changeLocale(services: Services, request: HttpRequest): Promise<void> {
  const locale = await findLocale(services, request.params.id)
  rejectUnknownKeys(request.body)
  // `isDefault: false` is ignored: the default changes only when another locale is set to `true`.
  const { isDefault, fallback, ...data } = validateBody(changeBody, request.body)
  await checkFallback(services, { fallback, code: locale.code })
  await updateLocale(services, locale, data, writerOf(request))
  await setFallback(services, locale.code, fallback)
  if (isDefault === true) await makeDefault(services, locale.code)
}

/** @throws 400 if one of the fallbacks is not a configured locale, or leads back to the locale itself */
async function checkFallback(
  { db }: Services,
  { code, fallback }: Readonly<{ code: string; fallback?: readonly string[] | undefined }>,
): Promise<void> {
  if (fallback === undefined) return
  const problem = problemOf(
    code,
    new Map([...fallbacksOf(await readLocales(db)), [code, fallback]]),
  )
  if (problem !== undefined) throw refusal(problem, ['fallback'])
}

/** Rejects unknown keys with yup's message, as Strapi does. */
function rejectUnknownKeys(body: unknown): void {
  const unknownKeys = unknownKeysOf(changeBody, body)
  if (unknownKeys.length === 0) return
  const message = `this field has unspecified keys: ${unknownKeys.join(', ')}`
  throw fail('validation', message, { errors: [{ path: [], message, name: 'ValidationError' }] })
}

async function findLocale({ db }: Services, id: string | undefined): Promise<LocaleDocument> {
  const locale = (await readLocales(db)).find(({ _id }) => String(_id) === id)
  if (locale === undefined) throw fail('not-found-because', 'locale.notFound')
  return locale
}

const alreadyExists = (): ApiError => fail('application', 'This locale already exists')

/** Returns a locale in Strapi's form, with `fallback` if it has any. */
const show = (locale: LocaleDocument, chosen: string) => ({
  ...showMembers(localeMembers, {
    ...{ ...locale, id: locale._id },
    isDefault: locale.code === chosen,
  }),
  fallback: locale.fallback?.length ? locale.fallback : undefined,
})

const localeMembers = {
  id: whole,
  documentId: text,
  name: textOrNull,
  code: text,
  createdAt: moment,
  updatedAt: moment,
  publishedAt: momentOrNull,
  isDefault: flag,
}
const localeAnswer = members(localeMembers, { fallback: list(text) })
