import type { Timestamp } from 'mongodb'

/** How many documents a write put into a collection and took out of it. */
export type CountChange = Readonly<{
  /** That were put in or taken out. */
  documents: number
  /** How many more there are. */
  by: number
  /** The same by locale; undefined where the command does not say which. */
  byLocale: ReadonlyMap<unknown, number> | undefined
}>

/** Is told of what a client puts into collections and takes out of them. */
export type CountListener = Readonly<{
  /** Such a write is about to be sent, which is not part of a transaction. */
  began: (collection: string) => void
  /** It has ended; of one that was refused a part may be done, and one that was not answered may still be done. */
  ended: (collection: string, how: 'done' | 'refused' | 'unanswered') => void
  /**
   * So much has changed.
   * @param at when, where the database says so: of the last of them, or of all together
   */
  changed: (collection: string, change: CountChange, at: When) => void
  /** Whatever is known may be wrong. */
  lost: () => void
}>

/** `isTogether`: whether all documents of a change have this time, because it was one transaction. */
export type When = Readonly<{ time: Timestamp | undefined; isTogether: boolean }>

type Command = Readonly<Record<string, unknown>>

/** Commands that may put documents into a collection or take some out of it. */
export const counted: ReadonlySet<string> = new Set(['insert', 'delete', 'update', 'findAndModify'])

/** What a command has changed, by its answer; undefined where the number of documents is what it was. */
export function changeOf(command: Command, answer: unknown): CountChange | undefined {
  if ('insert' in command) return insertedBy(command, numberIn(answer, 'n'))
  if ('delete' in command) return deletedBy(command, numberIn(answer, 'n'))
  if ('update' in command) return mayInsert(command) ? unknownLocale(upserts(answer)) : undefined
  if (command['remove'] === true) return unknownLocale(-1)
  return command['upsert'] === true ? unknownLocale(1) : undefined
}

/** Of several changes of one collection. */
export function together(one: CountChange | undefined, other: CountChange): CountChange {
  if (one === undefined) return other
  const byLocale =
    one.byLocale === undefined || other.byLocale === undefined ? undefined : new Map(one.byLocale)
  for (const [locale, by] of other.byLocale ?? [])
    byLocale?.set(locale, (byLocale.get(locale) ?? 0) + by)
  return { documents: one.documents + other.documents, by: one.by + other.by, byLocale }
}

/** When a write was done, as the answer of a replica set says. */
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

/** A list, or what the driver makes of one that is sent apart from its command. */
export function documentsOf(list: unknown): readonly Command[] {
  const apart = (list as Readonly<{ documents?: unknown }> | undefined)?.documents
  const documents = Array.isArray(list) ? (list as unknown[]) : apart
  return Array.isArray(documents) ? (documents as Command[]) : []
}

const mayInsert = (command: Command): boolean =>
  documentsOf(command['updates']).some(({ upsert }) => upsert === true)

/** The driver decodes answers when they are read, or has done so. */
type Answer = Readonly<{
  getNumber?: (name: string) => number | null
  get?: (name: string, as: number) => Readonly<{ size: () => number }> | null
}> &
  Command

/** A number of an answer; 0 where it has none of that name. */
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
