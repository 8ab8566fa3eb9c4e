import type { Timestamp } from 'mongodb'

/** How a write changed the number of documents in a collection. */
export type CountChange = Readonly<{
  /** Number of added documents plus number of removed documents, for example 5 for 3 added and 2 removed. */
  documents: number
  /** Number of added documents minus number of removed documents. */
  by: number
  /** `by` for each locale; undefined if the locales cannot be read from the command. */
  byLocale: ReadonlyMap<unknown, number> | undefined
}>

/** Receives how a client's writes change the document counts of collections. */
export type CountListener = Readonly<{
  /** Called before a write outside of a transaction is sent, if the write may add or remove documents. */
  began: (collection: string) => void
  /**
   * Called when a write for which `began` was called has ended. `refused`: it may be partly done. `unanswered`: it may
   * still take effect.
   */
  ended: (collection: string, how: 'done' | 'refused' | 'unanswered') => void
  /** Called when documents were added or removed. `at` is the time, if the database reports it. */
  changed: (collection: string, change: CountChange, at: When) => void
  /** Called when all counts may be wrong. */
  lost: () => void
}>

/**
 * When documents changed. If `isTogether`, all of them changed in one transaction. Otherwise, `time` is that of the
 * last document.
 */
export type When = Readonly<{ time: Timestamp | undefined; isTogether: boolean }>

type Command = Readonly<Record<string, unknown>>

export const countChangingCommands: ReadonlySet<string> = new Set([
  'insert',
  'delete',
  'update',
  'findAndModify',
])

/** Returns how a command changed the number of documents, or undefined if the number stayed the same. */
export function changeOf(command: Command, answer: unknown): CountChange | undefined {
  if ('insert' in command) return insertedBy(command, numberIn(answer, 'n'))
  if ('delete' in command) return deletedBy(command, numberIn(answer, 'n'))
  if ('update' in command) return mayInsert(command) ? unknownLocale(upserts(answer)) : undefined
  if (command['remove'] === true) return unknownLocale(-1)
  return command['upsert'] === true ? unknownLocale(1) : undefined
}

/** Adds up two changes of one collection. */
export function addChanges(one: CountChange | undefined, other: CountChange): CountChange {
  if (one === undefined) return other
  const byLocale =
    one.byLocale === undefined || other.byLocale === undefined ? undefined : new Map(one.byLocale)
  for (const [locale, by] of other.byLocale ?? [])
    byLocale?.set(locale, (byLocale.get(locale) ?? 0) + by)
  return { documents: one.documents + other.documents, by: one.by + other.by, byLocale }
}

/** Returns the time of a write from its response. Only the responses of a replica set contain a time. */
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
 * Returns the documents in a member of a command, such as `updates`. If the driver sends the list as a separate section
 * of the message, the member is an object that contains the list.
 */
export function documentsOf(list: unknown): readonly Command[] {
  const apart = (list as Readonly<{ documents?: unknown }> | undefined)?.documents
  const documents = Array.isArray(list) ? (list as unknown[]) : apart
  return Array.isArray(documents) ? (documents as Command[]) : []
}

const mayInsert = (command: Command): boolean =>
  documentsOf(command['updates']).some(({ upsert }) => upsert === true)

/** A response of the database: a decoded object, or an object with methods that decode a member when it is read. */
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
