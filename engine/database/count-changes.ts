import type { Timestamp } from 'mongodb'

/** Numbers of documents that a write added to a collection and removed from it. */
export type CountChange = Readonly<{
  /** Added and removed documents. */
  documents: number
  /** Difference in the number of documents. */
  by: number
  /** The difference by locale; undefined if the command does not say which. */
  byLocale: ReadonlyMap<unknown, number> | undefined
}>

/** Receives the numbers of documents that a client adds to collections and removes from them. */
export type CountListener = Readonly<{
  /** Called before a write that may add or remove documents is sent outside of a transaction. */
  began: (collection: string) => void
  /**
   * Called when that write has ended. A refused write may be partly done, and a write without a response may still take
   * effect.
   */
  ended: (collection: string, how: 'done' | 'refused' | 'unanswered') => void
  /**
   * Called when the number of documents has changed.
   * @param at time of the change, if the database reports it: that of the last document, or of all documents together
   */
  changed: (collection: string, change: CountChange, at: When) => void
  /** Called when all counts may be wrong. */
  lost: () => void
}>

/** `isTogether`: whether all documents of the change have this time, because one transaction changed them. */
export type When = Readonly<{ time: Timestamp | undefined; isTogether: boolean }>

type Command = Readonly<Record<string, unknown>>

/** Commands that may add documents to a collection or remove some. */
export const counted: ReadonlySet<string> = new Set(['insert', 'delete', 'update', 'findAndModify'])

/** Returns the change of a command according to its response; undefined if the number of documents is the same. */
export function changeOf(command: Command, answer: unknown): CountChange | undefined {
  if ('insert' in command) return insertedBy(command, numberIn(answer, 'n'))
  if ('delete' in command) return deletedBy(command, numberIn(answer, 'n'))
  if ('update' in command) return mayInsert(command) ? unknownLocale(upserts(answer)) : undefined
  if (command['remove'] === true) return unknownLocale(-1)
  return command['upsert'] === true ? unknownLocale(1) : undefined
}

/** Adds up changes of one collection. */
export function together(one: CountChange | undefined, other: CountChange): CountChange {
  if (one === undefined) return other
  const byLocale =
    one.byLocale === undefined || other.byLocale === undefined ? undefined : new Map(one.byLocale)
  for (const [locale, by] of other.byLocale ?? [])
    byLocale?.set(locale, (byLocale.get(locale) ?? 0) + by)
  return { documents: one.documents + other.documents, by: one.by + other.by, byLocale }
}

/** Returns the time of a write from the response of a replica set. */
export const timeOf = (answer: unknown): Timestamp | undefined =>
  (answer as Readonly<{ operationTime?: Timestamp | null }> | null)?.operationTime ?? undefined

function insertedBy(command: Command, n: number): CountChange | undefined {
  if (n === 0) return undefined
  const documents = documentsOf(command['documents'])
  if (documents.length !== n) return unknownLocale(n)
  const byLocale = new Map<unknown, number>()
  for (const { locale = null } of documents) {
    if (locale !== null && typeof locale !== 'string') return unknownLocale(n)
    byLocale.set(locale, (byLocale.get(locale) ?? 0) + 1)
  }
  return { documents: n, by: n, byLocale }
}

function deletedBy(command: Command, n: number): CountChange | undefined {
  if (n === 0) return undefined
  const [first, ...others] = documentsOf(command['deletes'])
  const locale = (first?.['q'] as Command | undefined)?.['locale']
  const isKnown = others.length === 0 && (locale === null || typeof locale === 'string')
  return { documents: n, by: -n, byLocale: isKnown ? new Map([[locale, -n]]) : undefined }
}

const unknownLocale = (by: number): CountChange | undefined =>
  by === 0 ? undefined : { documents: Math.abs(by), by, byLocale: undefined }

/**
 * Reads a list of documents. It may be inside an object, because the driver sends some lists separately from their
 * command.
 */
export function documentsOf(list: unknown): readonly Command[] {
  const apart = (list as Readonly<{ documents?: unknown }> | undefined)?.documents
  const documents = Array.isArray(list) ? (list as unknown[]) : apart
  return Array.isArray(documents) ? (documents as Command[]) : []
}

const mayInsert = (command: Command): boolean =>
  documentsOf(command['updates']).some(({ upsert }) => upsert === true)

/** A response: either one that the driver decodes on access (with the methods), or a decoded object. */
type Answer = Readonly<{
  getNumber?: (name: string) => number | null
  get?: (name: string, as: number) => Readonly<{ size: () => number }> | null
}> &
  Command

/** Reads a number from a response; 0 if the response has no such number. */
export function numberIn(answer: unknown, name: string): number {
  const it = answer as Answer
  return Number(it.getNumber === undefined ? it[name] : it.getNumber(name)) || 0
}

const bsonArray = 4

function upserts(answer: unknown): number {
  const it = answer as Answer
  if (it.getNumber !== undefined) return it.get?.('upserted', bsonArray)?.size() ?? 0
  return documentsOf(it['upserted']).length
}
