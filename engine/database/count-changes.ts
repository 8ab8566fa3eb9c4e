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

/** Receives what a client adds to collections and removes from them. */
export type CountListener = Readonly<{
  /** Such a write, outside of a transaction, is about to be sent. */
  began: (collection: string) => void
  /** The write has ended. A refused one may be partly done, and an unanswered one may still be done. */
  ended: (collection: string, how: 'done' | 'refused' | 'unanswered') => void
  /**
   * The number of documents has changed.
   * @param at when, if the database reports it: the time of the last change, or of all together
   */
  changed: (collection: string, change: CountChange, at: When) => void
  /** All counts may be wrong. */
  lost: () => void
}>

/** `isTogether`: whether all documents of a change have this time, because it was one transaction. */
export type When = Readonly<{ time: Timestamp | undefined; isTogether: boolean }>

type Command = Readonly<Record<string, unknown>>

/** Commands that may add documents to a collection or remove some. */
export const counted: ReadonlySet<string> = new Set(['insert', 'delete', 'update', 'findAndModify'])

/** Returns what a command has changed, by its response; undefined if the number of documents is the same. */
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

/** Reads a list, or the object in which the driver sends a list apart from its command. */
export function documentsOf(list: unknown): readonly Command[] {
  const apart = (list as Readonly<{ documents?: unknown }> | undefined)?.documents
  const documents = Array.isArray(list) ? (list as unknown[]) : apart
  return Array.isArray(documents) ? (documents as Command[]) : []
}

const mayInsert = (command: Command): boolean =>
  documentsOf(command['updates']).some(({ upsert }) => upsert === true)

/** A response, which the driver decodes on access or has decoded. */
type Answer = Readonly<{
  getNumber?: (name: string) => number | null
  get?: (name: string, as: number) => Readonly<{ size: () => number }> | null
}> &
  Command

/** Reads a number of a response; 0 if it has none of that name. */
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
