import type { Db } from 'mongodb'
import type { Logger } from 'pino'
import { lookAgain } from '../../engine/database/look-again.js'
import type { LocaleSet } from '../lifecycle/services.js'
import { readDefault } from './default-locale.js'
import { chainOf, type Fallbacks } from './fallback-chains.js'

/** The configured locales, kept in memory for everybody who asks. */
export type Locales = Awaited<ReturnType<typeof openLocales>>

export type LocaleDocument = Readonly<{
  _id: number
  documentId: string
  name: string
  code: string
  /** How the default was marked before it was one pointer; it counts where there is no pointer yet. */
  isDefault?: boolean
  /** Codes of the locales that it falls back to, in their order. */
  fallback?: readonly string[] | null
  createdAt: Date
  updatedAt: Date
  publishedAt: Date | null
  /** Somebody is deleting it: nothing is written in it any more. */
  _leaving?: Readonly<{ by: string; at: Date }>
}>

/**
 * How long ago the locales were read at most that a write is acknowledged by: after that long every process
 * knows that a locale is leaving, or asks before it acknowledges anything.
 */
export const leaseMs = 2_000

/** A deletion that was cut off keeps a locale closed no longer than this. */
const leavingMs = 60_000

/** Reads the locales, and again every second, because other processes change them too. */
export async function openLocales(db: Db, log: Logger) {
  let readAt = performance.now()
  let documents = await readLocales(db)
  let current = toLocaleSet(documents, await readDefault(db))
  const refresh = async (): Promise<void> => {
    const startedAt = performance.now()
    const [read, pointer] = await Promise.all([readLocales(db), readDefault(db)])
    // A slower, older read must not overwrite a newer one; one that is newer than what is known always counts.
    if (startedAt < readAt) return
    current = toLocaleSet(read, pointer)
    documents = read
    readAt = startedAt
    if (read.some(isLeaving)) await reopen(db)
  }
  let renewing: Promise<void> | undefined
  const holds = async (code: string): Promise<boolean> => {
    // However many ask, the locales are read once at a time.
    while (performance.now() - readAt > leaseMs)
      await (renewing ??= refresh().finally(() => (renewing = undefined)))
    // Where none is stored yet the first one is about to be.
    if (documents.length === 0) return current.codes.has(code)
    return documents.some((document) => document.code === code && !isLeaving(document))
  }
  return {
    /** At most about a second old (docs/database.md, "Several instances"). */
    current: () => current,
    /** Whether a locale is configured and not being deleted, as it was `leaseMs` ago at the earliest. */
    holds,
    /** Reads them now; to be called after a locale was written. */
    refresh,
    // `look` has them read soon: perhaps another process has written one.
    ...lookAgain(refresh, (err) => log.warn({ err }, 'The locales could not be read')),
  }
}

/** All locales, in the order in which they were made. */
export function readLocales(db: Db): Promise<LocaleDocument[]> {
  return db
    .collection<LocaleDocument>('locales')
    .find({}, { maxTimeMS: 5000 })
    .sort({ _id: 1 })
    .toArray()
}

export const isLeaving = ({ _leaving }: LocaleDocument): boolean =>
  _leaving !== undefined && _leaving !== null

/** Opens locales again whose deletion was cut off; by the database's clock. */
async function reopen(db: Db): Promise<void> {
  const tooLong = { $lt: ['$_leaving.at', { $subtract: ['$$NOW', leavingMs] }] }
  await db
    .collection<LocaleDocument>('locales')
    .updateMany({ _leaving: { $exists: true }, $expr: tooLong }, { $unset: { _leaving: '' } })
}

/** The locale of a fresh service. */
export const firstLocale = { code: 'en', name: 'English (en)', isDefault: true }

/**
 * The default is the one that is pointed at. Where that is gone, or nothing is pointed at yet, it is the one
 * that was marked last, else the oldest.
 * @param pointer its code
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
