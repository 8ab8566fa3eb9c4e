import { fail } from '../../engine/errors.js'
import { fullGrant } from '../../engine/schema/grant.js'
import { builtIn, typeOf } from '../../engine/schema/registry.js'
import type { Writer } from '../accounts/caller.js'
import type { Services } from '../services.js'
import { readDefault, takeDefaultBack, writeDefault } from './default-locale.js'
import { isLeaving, readLocales, toLocaleSet, type LocaleDocument } from './locales.js'

/** Creates a locale without making it the default. Returns its id. */
export async function createLocale(
  { documents, registry }: Services,
  data: Readonly<{ code: string; name: string }>,
  by: Writer,
): Promise<number> {
  const type = typeOf(registry(), builtIn.locale)
  const { code, name } = data
  return (await documents.create(type, { code, name }, { ...by, grant: fullGrant })).id
}

/** Renames a locale. */
export async function updateLocale(
  { documents, registry }: Services,
  { documentId }: LocaleDocument,
  data: unknown,
  by: Writer,
): Promise<void> {
  const type = typeOf(registry(), builtIn.locale)
  await documents.update(type, documentId, data, { ...by, grant: fullGrant })
}

/**
 * Sets the fallback of a locale. Writes directly to the database, because the content-type has no such attribute:
 * clients see the same type as in Strapi.
 */
export async function setFallback(
  { db }: Services,
  code: string,
  fallback: readonly string[] | undefined,
): Promise<void> {
  if (fallback === undefined) return
  await db.collection<LocaleDocument>('locales').updateOne({ code }, { $set: { fallback } })
}

/**
 * Makes a locale the default, then checks that it is not being deleted. A deletion works the other way round: it marks
 * the locale, then checks that it is not the default. So of two concurrent calls, at least one notices the other.
 */
export async function makeDefault({ db }: Services, code: string): Promise<void> {
  const before = toLocaleSet(await readLocales(db), await readDefault(db)).default
  await writeDefault(db, code)
  const documents = await readLocales(db)
  if (documents.some((document) => document.code === code && !isLeaving(document))) return
  await takeDefaultBack(db, code, before)
  throw fail('not-found-because', 'locale.notFound')
}
