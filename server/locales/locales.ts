import type { Db } from 'mongodb'
import type { Logger } from 'pino'
import { startPolling } from '../../engine/database/start-polling.js'
import type { LocaleSet } from '../services.js'
import { readDefault } from './default-locale.js'
import { chainOf, type Fallbacks } from './fallback-chains.js'

/** The configured locales, cached in memory. */
export type Locales = Awaited<ReturnType<typeof openLocales>>

export type LocaleDocument = Readonly<{
  _id: number
  documentId: string
  name: string
  code: string
  /** Marks the default locale in older databases, which have no record of it in `_settings`. */
  isDefault?: boolean
  fallback?: readonly string[] | null
  createdAt: Date
  updatedAt: Date
  publishedAt: Date | null
  /** Present while the locale is being deleted. Then no content may be written in it. */
  _leaving?: Readonly<{ by: string; at: Date }>
}>

/**
 * In milliseconds. Before a process acknowledges a write, it reads the locales again if its cache is older than this.
 * So it notices every deletion that was recorded more than `leaseMs` ago.
 */
export const leaseMs = 2_000

/** In milliseconds. A deletion that has not finished after this time was interrupted, and is cancelled. */
const leavingMs = 60_000

/** Opens the cache of locales, and updates it every second, because other processes may change locales. */
export async function openLocales(db: Db, log: Logger) {
  let readAt = performance.now()
  let documents = await readLocales(db)
  let current = toLocaleSet(documents, await readDefault(db))
  const refresh = async (): Promise<void> => {
    const startedAt = performance.now()
    const [read, pointer] = await Promise.all([readLocales(db), readDefault(db)])
    // A slow read that began earlier must not overwrite a newer one.
    if (startedAt < readAt) return
    current = toLocaleSet(read, pointer)
    documents = read
    readAt = startedAt
    if (read.some(isLeaving)) await reopen(db)
  }
  let renewing: Promise<void> | undefined
  const holds = async (code: string): Promise<boolean> => {
    // Concurrent calls share one read.
    while (performance.now() - readAt > leaseMs)
      await (renewing ??= refresh().finally(() => (renewing = undefined)))
    // If no locale is stored, the first one is about to be created.
    if (documents.length === 0) return current.codes.has(code)
    return documents.some((document) => document.code === code && !isLeaving(document))
  }
  return {
    /** Returns the cached locales, which are at most about a second old (docs/database.md, "Several instances"). */
    current: () => current,
    /**
     * Returns whether a locale is configured and not being deleted, according to data that is at most `leaseMs` old.
     */
    holds,
    /** Reads the locales now. Call this after writing one. */
    refresh,
    // Adds `stop` and `poll`. Call `poll` when another process may have changed a locale.
    ...startPolling(refresh, (err) => log.warn({ err }, 'The locales could not be read')),
  }
}

/** Returns all locales, in the order of their creation. */
export function readLocales(db: Db): Promise<LocaleDocument[]> {
  return db
    .collection<LocaleDocument>('locales')
    .find({}, { maxTimeMS: 5000 })
    .sort({ _id: 1 })
    .toArray()
}

export const isLeaving = ({ _leaving }: LocaleDocument): boolean =>
  _leaving !== undefined && _leaving !== null

/** Cancels deletions that were interrupted, according to the database's clock. */
async function reopen(db: Db): Promise<void> {
  const tooLong = { $lt: ['$_leaving.at', { $subtract: ['$$NOW', leavingMs] }] }
  await db
    .collection<LocaleDocument>('locales')
    .updateMany({ _leaving: { $exists: true }, $expr: tooLong }, { $unset: { _leaving: '' } })
}

/** The first locale, which a new service creates. */
export const firstLocale = { code: 'en', name: 'English (en)', isDefault: true }

/**
 * Returns the set of locales. If there is no recorded default, the default is the locale with `isDefault` that was
 * changed last; without such a locale, the oldest one.
 * @param pointer code of the recorded default
 */
export function toLocaleSet(
  documents: readonly LocaleDocument[],
  pointer: string | undefined,
): LocaleSet {
  const marked = documents
    .filter((document) => document.isDefault === true)
    .sort((a, b) => b.updatedAt.getTime() - a.updatedAt.getTime())
  const pointed = documents.find(({ code }) => code === pointer)
  return {
    codes: new Set(documents.length === 0 ? [firstLocale.code] : documents.map(({ code }) => code)),
    default: (pointed ?? marked[0] ?? documents[0] ?? firstLocale).code,
    chains: toChains(documents),
  }
}

function toChains(documents: readonly LocaleDocument[]): LocaleSet['chains'] {
  const fallbacks = fallbacksOf(documents)
  const falling = documents.filter(({ fallback }) => (fallback?.length ?? 0) > 0)
  return new Map(falling.map(({ code }) => [code, chainOf(code, fallbacks)]))
}

export const fallbacksOf = (documents: readonly LocaleDocument[]): Fallbacks =>
  new Map(documents.map(({ code, fallback }) => [code, fallback ?? []]))
