import { ApiError, fail } from '../../engine/errors.js'
import { writerOf } from '../accounts/caller.js'
import {
  flag,
  list as listOf,
  members,
  moment,
  momentOrNull,
  text,
  textOrNull,
  whole,
} from '../http/json-schemas.js'
import { reply, type HttpRequest, type Json, type Reply, type Route } from '../http/route.js'
import { strangersOf, validateBody } from '../http/validate-body.js'
import type { Services } from '../lifecycle/services.js'
import { adoptDefault, readDefault } from './default-locale.js'
import {
  firstLocale,
  readLocales,
  toLocaleSet,
  type LocaleDocument,
  type Locales,
} from './locales.js'
import { removeLocale, type RemoveOptions } from './remove-locale.js'
import { asAdmin, type Documented } from '../http/documented.js'
import { changeBody, newBody } from './locale-bodies.js'
import { createLocale, makeDefault, updateLocale } from './write-locale.js'

/** Makes the default locale `en` where there is no locale; to be called once, when documents can be written. */
export async function ensureLocale(services: Services, locales: Locales): Promise<void> {
  if ((await readLocales(services.db)).length === 0) {
    try {
      await createLocale(services, firstLocale, { actor: null })
    } catch (error) {
      // `code` is unique: another process was first.
      if (!(error instanceof ApiError) || (await readLocales(services.db)).length === 0) throw error
    }
  }
  const documents = await readLocales(services.db)
  await adoptDefault(services.db, toLocaleSet(documents, undefined).default)
  await locales.refresh()
}

/**
 * The locales: for admins at `/i18n/locales` (docs/decisions.md, "Admins are apart"), and to read at
 * `/api/i18n/locales`.
 */
export function localeRoutes(
  services: Services,
  locales: Locales,
  options: RemoveOptions,
): readonly Route[] {
  const admin = { kind: 'admin' } as const
  const list = async (): Promise<Reply> => {
    const documents = await readLocales(services.db)
    const chosen = toLocaleSet(documents, await readDefault(services.db)).default
    return reply(
      200,
      documents.map((document) => show(document, chosen)),
    )
  }
  return [
    {
      method: 'GET',
      path: '/api/i18n/locales',
      guard: { kind: 'content', action: 'plugin::i18n.locales.listLocales' },
      documented: documentedList,
      handle: list,
    },
    {
      method: 'GET',
      path: '/i18n/locales',
      guard: admin,
      documented: asAdmin(documentedList),
      handle: list,
    },
    {
      method: 'POST',
      path: '/i18n/locales',
      guard: admin,
      documented: {
        id: 'createLocale',
        summary: 'Add a locale',
        tag,
        body: newBody,
        answers: { 200: localeAnswer },
      },
      handle: (request) => addLocale(services, locales, request),
    },
    {
      method: 'PUT',
      path: '/i18n/locales/:id',
      guard: admin,
      documented: {
        id: 'changeLocale',
        summary: 'Change a locale',
        tag,
        body: changeBody,
        answers: { 200: localeAnswer },
      },
      handle: (request) => changeLocale(services, locales, request),
    },
    {
      method: 'DELETE',
      path: '/i18n/locales/:id',
      guard: admin,
      documented: {
        id: 'deleteLocale',
        summary: 'Delete a locale after its content',
        tag,
        answers: { 200: localeAnswer },
      },
      handle: async (request) => {
        const locale = await findLocale(services, request.params['id'])
        await removeLocale(services, locales, { ...options, ...writerOf(request), locale })
        return reply(200, show(locale, locales.current().default))
      },
    },
  ]
}

async function addLocale(
  services: Services,
  locales: Locales,
  request: HttpRequest,
): Promise<Reply> {
  const locale = validateBody(newBody, request.body)
  const taken = async () =>
    (await readLocales(services.db)).some(({ code }) => code === locale.code)
  if (await taken()) throw alreadyExists()
  const by = writerOf(request)
  const id = await createLocale(services, locale, by).catch(async (error: unknown) => {
    if (error instanceof ApiError && (await taken())) throw alreadyExists()
    throw error
  })
  if (locale.isDefault) await makeDefault(services, locale.code)
  await locales.refresh()
  return reply(200, show(await findLocale(services, String(id)), locales.current().default))
}

async function changeLocale(
  services: Services,
  locales: Locales,
  request: HttpRequest,
): Promise<Reply> {
  const { params, body } = request
  const locale = await findLocale(services, params['id'])
  refuseStrangers(body)
  const { name, isDefault } = validateBody(changeBody, body)
  // There always is a default, so `false` says nothing: another one is made it by `true`.
  const data = name === undefined ? {} : { name }
  await updateLocale(services, locale, data, writerOf(request))
  if (isDefault === true) await makeDefault(services, locale.code)
  await locales.refresh()
  return reply(200, show(await findLocale(services, params['id']), locales.current().default))
}

/** In yup's words, which are Strapi's. */
function refuseStrangers(body: unknown): void {
  const strangers = strangersOf(changeBody, body)
  if (strangers.length === 0) return
  const message = `this field has unspecified keys: ${strangers.join(', ')}`
  throw fail(
    'validation',
    { message },
    { errors: [{ path: [], message, name: 'ValidationError' }] },
  )
}

async function findLocale({ db }: Services, id: string | undefined): Promise<LocaleDocument> {
  const locale = (await readLocales(db)).find(({ _id }) => String(_id) === id)
  if (locale === undefined) throw fail('not-found-because', { message: 'locale.notFound' })
  return locale
}

const alreadyExists = (): ApiError => fail('application', { message: 'This locale already exists' })

const show = (locale: LocaleDocument, chosen: string): Json => ({
  id: locale._id,
  documentId: locale.documentId,
  name: locale.name,
  code: locale.code,
  createdAt: locale.createdAt.toISOString(),
  updatedAt: locale.updatedAt.toISOString(),
  publishedAt: locale.publishedAt?.toISOString() ?? null,
  isDefault: locale.code === chosen,
})

const localeAnswer = members({
  id: whole,
  documentId: text,
  name: textOrNull,
  code: text,
  createdAt: moment,
  updatedAt: moment,
  publishedAt: momentOrNull,
  isDefault: flag,
})
const tag = 'Locales'

const documentedList: Documented = {
  id: 'listLocales',
  summary: 'The configured locales',
  tag,
  answers: { 200: listOf(localeAnswer) },
}
