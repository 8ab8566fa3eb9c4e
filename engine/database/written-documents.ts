import type { Timestamp } from 'mongodb'

/** Documents that a command has changed, or may have changed if it failed. */
export type WrittenDocuments = Readonly<{
  collection: string
  /**
   * The documentIds of entries, which may have changed in any locale. In the service's own collections (`_…`), the
   * `_id`s of documents. Undefined if any document may have changed.
   */
  documentIds: readonly string[] | undefined
  /** Undefined if unknown. */
  change: CountChange | undefined
}>

/** How a command changed the number of documents in a collection. */
export type CountChange = Readonly<{
  /** Number of documents that the command added or removed. No command does both. */
  documents: number
  /** Number of added documents minus number of removed documents. */
  by: number
  /** `by` for each locale; undefined if the locales cannot be read from the command. */
  byLocale: ReadonlyMap<unknown, number> | undefined
}>

/**
 * Called for each command or transaction that has written or may have written. If `written` is undefined, anything may
 * have changed. If `at` is undefined, the database has not acknowledged the write.
 */
export type WriteListener = (written: readonly WrittenDocuments[] | undefined, at?: When) => void

/**
 * When documents changed. `time` is undefined if the database does not report it. If `isTogether`, all documents
 * changed in one transaction. Otherwise, `time` is that of the last document.
 */
export type When = Readonly<{ time: Timestamp | undefined; isTogether: boolean }>

type Command = Readonly<Record<string, unknown>>

export const documentCommands: ReadonlySet<string> = new Set([
  'insert',
  'delete',
  'update',
  'findAndModify',
])

/**
 * Returns the documents that a command has changed. Without an `answer`, those that it may have changed. Undefined if
 * there are none.
 */
export function documentsWrittenBy(
  command: Command,
  answer: unknown,
): WrittenDocuments | undefined {
  const kind = commandKind(command)
  const collection = command[kind]
  if (typeof collection !== 'string') return undefined
  if (kind === 'drop') return { collection, documentIds: undefined, change: undefined }
  if (!documentCommands.has(kind)) return undefined
  const n = answer === undefined ? undefined : countIn(answer)
  if (n === 0 && kind !== 'findAndModify') return undefined
  const selected = selectedBy(kind, command)
  const change = n === undefined ? undefined : changeOf(kind, command, selected, { n, answer })
  const member = collection.startsWith('_') ? '_id' : 'documentId'
  return { collection, documentIds: namedIn(selected, member), change }
}

/** Returns the filters that select a command's documents; for an insert, the documents themselves. */
function selectedBy(kind: string, command: Command): readonly Command[] {
  switch (kind) {
    case 'insert':
      return listIn(command['documents'])
    case 'update':
      return listIn(command['updates']).map(filterIn)
    case 'delete':
      return listIn(command['deletes']).map(filterIn)
    default:
      return [(command['query'] ?? {}) as Command]
  }
}

const filterIn = ({ q }: Command): Command => (q ?? {}) as Command

function namedIn(filters: readonly Command[], member: string): readonly string[] | undefined {
  const named = filters.map((filter) => textsOf(filter[member]))
  const isKnown = named.length > 0 && named.every((ids) => ids !== undefined)
  return isKnown ? [...new Set(named.flat())] : undefined
}

function textsOf(test: unknown): readonly string[] | undefined {
  if (typeof test === 'string') return [test]
  const { $eq: only, $in: among } = (test ?? {}) as Command
  if (typeof only === 'string') return [only]
  return Array.isArray(among) && among.every((one) => typeof one === 'string') ? among : undefined
}

function changeOf(
  kind: string,
  command: Command,
  selected: readonly Command[],
  { n, answer }: Readonly<{ n: number; answer: unknown }>,
): CountChange {
  switch (kind) {
    case 'insert':
      return changeBy(n, selected.length === n ? selected.map(({ locale = null }) => locale) : [])
    case 'delete':
      return changeBy(-n, selected.length === 1 ? selected.map(({ locale }) => locale) : [])
    case 'update':
      return changeBy(upserts(answer))
    default:
      return changeBy(command['remove'] === true ? -1 : Number(command['upsert'] === true))
  }
}

/** @param locales the locale of each document, or of all documents; empty if not known */
function changeBy(by: number, locales: readonly unknown[] = []): CountChange {
  const documents = Math.abs(by)
  const isKnown = locales.every((locale) => locale === null || typeof locale === 'string')
  if (locales.length === 0 || !isKnown) return { documents, by, byLocale: undefined }
  const byLocale = new Map<unknown, number>()
  for (const locale of locales)
    byLocale.set(locale, (byLocale.get(locale) ?? 0) + by / locales.length)
  return { documents, by, byLocale }
}

/**
 * Returns the documents in a member of a command, such as `updates`. If the driver sends the list as a separate section
 * of the message, the member is an object that contains the list.
 */
function listIn(list: unknown): readonly Command[] {
  const apart = (list as Readonly<{ documents?: unknown }> | undefined)?.documents
  const documents = Array.isArray(list) ? (list as unknown[]) : apart
  return Array.isArray(documents) ? (documents as Command[]) : []
}

/** A response of the database: a decoded object, or an object with methods that decode a member when it is read. */
type Answer = Readonly<{
  getNumber?: (name: string) => number | null
  get?: (name: string, as: number) => Readonly<{ size: () => number }> | null
}> &
  Command

/**
 * Returns the number of affected documents from a response; 0 if the response has no such number. Call it once: driver
 * 7.9 returns 1 for each number that is read again.
 */
function countIn(answer: unknown): number {
  const it = answer as Answer
  return Number(it.getNumber === undefined ? it['n'] : it.getNumber('n')) || 0
}

const bsonArray = 4

function upserts(answer: unknown): number {
  const it = answer as Answer
  if (it.getNumber !== undefined) return it.get?.('upserted', bsonArray)?.size() ?? 0
  return listIn(it['upserted']).length
}

/** Returns the name of a command, which is its first key: `find`, `insert` … */
export function commandKind(command: Readonly<Record<string, unknown>>): string {
  for (const key in command) return key
  return ''
}
