import type { Db } from 'mongodb'
import type { Logger } from 'pino'
import type { LocaleSet } from '../services.js'

/** The configured locales, kept in memory for everybody who asks. */
export type Locales = Readonly<{
  /** At most about a second old. */
  current: () => LocaleSet
  /** Reads them now; to be called after a locale was written. */
  refresh: () => Promise<void>
  stop: () => void
}>

export type LocaleDocument = Readonly<{
  _id: number
  documentId: string
  name: string
  code: string
  isDefault?: boolean
  createdAt: Date
  updatedAt: Date
  publishedAt: Date | null
}>

const everyMs = 1000

/** Reads the locales, and again every second, because other processes change them too. */
export async function openLocales(db: Db, log: Logger): Promise<Locales> {
  let current = toLocaleSet(await readLocales(db))
  let asked = 0
  const refresh = async (): Promise<void> => {
    asked += 1
    const turn = asked
    const documents = await readLocales(db)
    // A slower, older read must not overwrite a newer one.
    if (turn === asked) current = toLocaleSet(documents)
  }
  let isReading = false
  const timer = setInterval(() => {
    if (isReading) return
    isReading = true
    refresh()
      .catch((error: unknown) => log.warn({ err: error }, 'The locales could not be read'))
      .finally(() => (isReading = false))
  }, everyMs)
  timer.unref()
  return { current: () => current, refresh, stop: () => clearInterval(timer) }
}

/** All locales, in the order in which they were made. */
export function readLocales(db: Db): Promise<LocaleDocument[]> {
  return db
    .collection<LocaleDocument>('locales')
    .find({}, { maxTimeMS: 5000 })
    .sort({ _id: 1 })
    .toArray()
}

/** The locale of a fresh service. */
export const firstLocale = { code: 'en', name: 'English (en)', isDefault: true }

/**
 * The default is the one that is marked. While it moves two are marked, and the one changed last counts;
 * where none is marked it is the oldest.
 */
function toLocaleSet(documents: readonly LocaleDocument[]): LocaleSet {
  const marked = documents
    .filter((document) => document.isDefault === true)
    .sort((a, b) => b.updatedAt.getTime() - a.updatedAt.getTime())
  return Object.freeze({
    codes: new Set(documents.length === 0 ? [firstLocale.code] : documents.map(({ code }) => code)),
    default: (marked[0] ?? documents[0] ?? firstLocale).code,
  })
}
