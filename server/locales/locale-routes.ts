import { boolean, object, string } from 'yup'
import { ApiError, fail } from '../../engine/errors.js'
import { collectionOf } from '../../engine/schema/content-type.js'
import { fullGrant } from '../../engine/schema/grant.js'
import { builtIn, typeOf } from '../../engine/schema/registry.js'
import { actorOf } from '../auth/caller.js'
import { reply, type HttpRequest, type Json, type Reply, type Route } from '../http/route.js'
import { validateBody } from '../http/validate-body.js'
import type { Services } from '../services.js'
import { firstLocale, readLocales, type LocaleDocument, type Locales } from './locales.js'

/** Makes the default locale `en` where there is no locale; to be called once, when documents can be written. */
export async function ensureLocale(services: Services, locales: Locales): Promise<void> {
  if ((await readLocales(services.db)).length === 0) {
    try {
      await createLocale(services, firstLocale, null)
    } catch (error) {
      // `code` is unique: another process was first.
      if (!(error instanceof ApiError) || (await readLocales(services.db)).length === 0) throw error
    }
  }
  await locales.refresh()
}

/** The locales: for admins at `/i18n/locales` (D28), and to read at `/api/i18n/locales`. */
export function localeRoutes(services: Services, locales: Locales): readonly Route[] {
  const admin = { kind: 'admin' } as const
  const list = async (): Promise<Reply> => reply(200, (await readLocales(services.db)).map(show))
  return [
    {
      method: 'GET',
      path: '/api/i18n/locales',
      guard: { kind: 'content', action: 'plugin::i18n.locales.listLocales' },
      handle: list,
    },
    { method: 'GET', path: '/i18n/locales', guard: admin, handle: list },
    {
      method: 'POST',
      path: '/i18n/locales',
      guard: admin,
      handle: (request) => addLocale(services, locales, request),
    },
    {
      method: 'PUT',
      path: '/i18n/locales/:id',
      guard: admin,
      handle: (request) => changeLocale(services, locales, request),
    },
    {
      method: 'DELETE',
      path: '/i18n/locales/:id',
      guard: admin,
      handle: (request) => removeLocale(services, locales, request),
    },
  ]
}

const newBody = object({
  /** `en`, `fr-CA`, `zh-Hans-CN`. */
  code: string()
    .matches(/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$/, 'code must be a language tag such as fr-CA')
    .required(),
  name: string().min(1).max(50).required(),
  isDefault: boolean().required(),
})

const changeBody = object({ name: string().min(1).max(50), isDefault: boolean() })

async function addLocale(
  services: Services,
  locales: Locales,
  { body, caller }: HttpRequest,
): Promise<Reply> {
  const locale = validateBody(newBody, body)
  const taken = async () =>
    (await readLocales(services.db)).some(({ code }) => code === locale.code)
  if (await taken()) throw alreadyExists()
  const id = await createLocale(services, locale, actorOf(caller)).catch(async (error: unknown) => {
    if (error instanceof ApiError && (await taken())) throw alreadyExists()
    throw error
  })
  if (locale.isDefault) await unmarkOthers(services, id, actorOf(caller))
  await locales.refresh()
  return reply(200, show(await findLocale(services, String(id))))
}

async function changeLocale(
  services: Services,
  locales: Locales,
  { params, body, caller }: HttpRequest,
): Promise<Reply> {
  const locale = await findLocale(services, params['id'])
  const { name, isDefault } = validateBody(changeBody, body)
  if (isDefault === false && locale.code === locales.current().default)
    throw fail('application', { message: 'Make another locale the default first' })
  const data = {
    ...(name === undefined ? {} : { name }),
    ...(isDefault === undefined ? {} : { isDefault }),
  }
  await updateLocale(services, locale, data, actorOf(caller))
  if (isDefault === true) await unmarkOthers(services, locale._id, actorOf(caller))
  await locales.refresh()
  return reply(200, show(await findLocale(services, params['id'])))
}

/** Refuses to strand content: what is written in a locale is deleted first. */
async function removeLocale(
  services: Services,
  locales: Locales,
  { params, caller }: HttpRequest,
): Promise<Reply> {
  const locale = await findLocale(services, params['id'])
  if (locale.code === locales.current().default)
    throw fail('application', { message: 'Cannot delete the default locale' })
  const content = await contentIn(services, locale.code)
  if (content.length > 0) {
    const counts = content.map(({ uid, count }) => `${count} of ${uid}`).join(', ')
    const message = `Cannot delete the locale ${locale.code}: delete its content first (${counts})`
    throw fail('application', { message }, { content })
  }
  const type = typeOf(services.registry(), builtIn.locale)
  await services.documents.delete(type, locale.documentId, {
    grant: fullGrant,
    actor: actorOf(caller),
  })
  await locales.refresh()
  return reply(200, show(locale))
}

/** Which types have documents in a locale, and how many. */
async function contentIn(
  { db, registry }: Services,
  locale: string,
): Promise<readonly Readonly<{ uid: string; count: number }>[]> {
  const counts = []
  for (const type of registry().contentTypes.values()) {
    if (!type.localized) continue
    const count = await db
      .collection(collectionOf(type, 'draft'))
      .countDocuments({ locale }, { maxTimeMS: 5_000 })
    if (count > 0) counts.push({ uid: type.uid, count })
  }
  return counts
}

async function findLocale({ db }: Services, id: string | undefined): Promise<LocaleDocument> {
  const locale = (await readLocales(db)).find(({ _id }) => String(_id) === id)
  if (locale === undefined) throw fail('not-found-because', { message: 'locale.notFound' })
  return locale
}

async function createLocale(
  { documents, registry }: Services,
  data: Readonly<{ code: string; name: string; isDefault: boolean }>,
  actor: string | null,
): Promise<number> {
  const type = typeOf(registry(), builtIn.locale)
  return (await documents.create(type, data, { grant: fullGrant, actor })).id
}

async function updateLocale(
  { documents, registry }: Services,
  { documentId }: LocaleDocument,
  data: unknown,
  actor: string | null,
): Promise<void> {
  const type = typeOf(registry(), builtIn.locale)
  await documents.update(type, documentId, data, { grant: fullGrant, actor })
}

/** The new default is marked before the old one is unmarked, so that there always is one. */
async function unmarkOthers(services: Services, id: number, actor: string | null): Promise<void> {
  const others = (await readLocales(services.db)).filter(
    (locale) => locale.isDefault === true && locale._id !== id,
  )
  for (const other of others) await updateLocale(services, other, { isDefault: false }, actor)
}

const alreadyExists = (): ApiError => fail('application', { message: 'This locale already exists' })

const show = (locale: LocaleDocument): Json => ({
  id: locale._id,
  documentId: locale.documentId,
  name: locale.name,
  code: locale.code,
  createdAt: locale.createdAt.toISOString(),
  updatedAt: locale.updatedAt.toISOString(),
  publishedAt: locale.publishedAt?.toISOString() ?? null,
  isDefault: locale.isDefault === true,
})
