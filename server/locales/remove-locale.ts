import { setTimeout as sleep } from 'node:timers/promises'
import { createId } from '../../engine/values/create-id.js'
import { fail } from '../../engine/errors.js'
import { collectionOf } from '../../engine/schema/content-type.js'
import { fullGrant } from '../../engine/schema/grant.js'
import { builtIn, typeOf } from '../../engine/schema/registry.js'
import { noteDeletion, type InFlightWrite } from '../../engine/write.js'
import { refuseLocked } from '../../engine/write/write-context.js'
import type { Writer } from '../accounts/caller.js'
import type { Services } from '../services.js'
import { leaseMs, type LocaleDocument, type Locales } from './locales.js'

export type RemoveOptions = Readonly<{
  /** Whether Quire itself started this database. If so, no other service uses it. */
  singleProcess: boolean
  /** Opens a journal for a write that may be interrupted. Call this before the write. */
  begun: () => InFlightWrite
}>

type Removal = RemoveOptions & Writer & Readonly<{ locale: LocaleDocument }>

/**
 * Deletes a locale without content. Marks the locale, so that new writes in it fail. Waits until no process can
 * acknowledge an earlier write in it any more, then checks again that it has no content.
 */
export async function removeLocale(
  services: Services,
  locales: Locales,
  { locale, actor, time, singleProcess, begun }: Removal,
): Promise<void> {
  const { _id, code, documentId } = locale
  // A running conversion may be moving content into this locale, which the check below would not find.
  const { locked } = services.registry()
  for (const uid of locked ?? []) refuseLocked(locked, uid)
  await locales.refresh()
  refuseDefault(locales, code)
  await refuseContent(services, code)

  const stored = services.db.collection<LocaleDocument>('locales')
  const by = createId()
  time?.begin()
  const leaving = [{ $set: { _leaving: { by, at: '$$NOW' } } }]
  const { matchedCount } = await stored.updateOne({ _id, _leaving: { $exists: false } }, leaving)
  if (matchedCount === 0) throw fail('application', `The locale ${code} is being deleted`)
  try {
    await locales.refresh()
    refuseDefault(locales, code)
    // After this pause, every process has read the locales, or reads them before it acknowledges a write.
    if (!singleProcess) await sleep(leaseMs + marginMs)
    // Throws if the time limit has passed. The `catch` below then removes the mark.
    time?.begin()
    await refuseContent(services, code)
    await deleteEmpty(services, { locale, by }, begun())
  } catch (error) {
    await stored.updateOne({ _id, '_leaving.by': by }, { $unset: { _leaving: '' } })
    await locales.refresh()
    throw error
  }
  await stored.updateMany({ fallback: code }, { $pull: { fallback: code } })
  // The locale's document is already deleted. This call deletes references to it.
  const type = typeOf(services.registry(), builtIn.locale)
  await services.documents.delete(type, documentId, { grant: fullGrant, actor })
  await locales.refresh()
}

/**
 * Deletes a locale that is marked. Processes undo the writes in it that they have not acknowledged. If a process is
 * killed before that, a repair finds what remains through the journal entry of the deletion.
 */
async function deleteEmpty(
  { db, registry }: Services,
  { locale, by }: Readonly<{ locale: LocaleDocument; by: string }>,
  { journal, ended }: InFlightWrite,
): Promise<void> {
  const { _id, code } = locale
  try {
    await noteDeletion({ db, registry: registry(), journal }, locale)
    const { deletedCount } = await db
      .collection<LocaleDocument>('locales')
      .deleteOne({ _id, '_leaving.by': by })
    if (deletedCount === 0)
      throw fail('application', `The locale ${code} was not deleted in time. Try again`)
  } finally {
    // Other processes may still be writing in this locale. When these writes have ended, the repair checks the locale.
    ended(false)
  }
}

/** Additional pause in milliseconds, because timers are not exact. */
const marginMs = 500

function refuseDefault(locales: Locales, code: string): void {
  if (code === locales.current().default)
    throw fail('application', 'Cannot delete the default locale')
}

async function refuseContent(services: Services, code: string): Promise<void> {
  const content = await contentIn(services, code)
  if (content.length > 0) throw fail('application', hasContent(code, content), { content })
}

type Content = readonly Readonly<{ uid: string; count: number }>[]

/** Returns the message that a locale cannot be deleted because it has content. */
export function hasContent(code: string, content: Content): string {
  const counts = content.map(({ uid, count }) => `${count} of ${uid}`).join(', ')
  return `Cannot delete the locale ${code}. Delete its content first (${counts})`
}

/** Returns the content-types that have documents in a locale, with the number of these documents. */
export async function contentIn(
  { db, registry }: Pick<Services, 'db' | 'registry'>,
  locale: string,
): Promise<Content> {
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
