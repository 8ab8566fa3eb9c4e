import { countChangingCommands, documentsOf, numberIn } from './count-changes.js'

/** Documents that a command may have changed. */
export type WrittenDocuments = Readonly<{
  collection: string
  /**
   * The documentIds of entries, which may have changed in any locale. In the service's own collections (`_…`), the
   * `_id`s of documents. Undefined if any document may have changed.
   */
  documentIds: readonly string[] | undefined
}>

/** Called for each command or transaction that has written. `undefined` means that anything may have changed. */
export type WriteListener = (written: readonly WrittenDocuments[] | undefined) => void

type Command = Readonly<Record<string, unknown>>

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
  if (kind === 'drop') return { collection, documentIds: undefined }
  if (!countChangingCommands.has(kind)) return undefined
  const isNone = kind !== 'findAndModify' && answer !== undefined && numberIn(answer, 'n') === 0
  return isNone ? undefined : { collection, documentIds: namedBy(kind, command, collection) }
}

function namedBy(
  kind: string,
  command: Command,
  collection: string,
): readonly string[] | undefined {
  const member = collection.startsWith('_') ? '_id' : 'documentId'
  const named = filtersOf(kind, command).map((filter) => namedIn(filter, member))
  const isKnown = named.length > 0 && named.every((ids) => ids !== undefined)
  return isKnown ? [...new Set(named.flat())] : undefined
}

/** Returns the filters that select a command's documents; for an insert, the documents themselves. */
function filtersOf(kind: string, command: Command): readonly unknown[] {
  switch (kind) {
    case 'insert':
      return documentsOf(command['documents'])
    case 'update':
      return documentsOf(command['updates']).map(({ q }) => q)
    case 'delete':
      return documentsOf(command['deletes']).map(({ q }) => q)
    default:
      return [command['query']]
  }
}

function namedIn(filter: unknown, member: string): readonly string[] | undefined {
  const named = ((filter ?? {}) as Command)[member]
  if (typeof named === 'string') return [named]
  const { $eq: only, $in: among } = (named ?? {}) as Command
  if (typeof only === 'string') return [only]
  return Array.isArray(among) && among.every((one) => typeof one === 'string') ? among : undefined
}

/** Returns the name of a command, which is its first key: `find`, `insert` … */
export function commandKind(command: Readonly<Record<string, unknown>>): string {
  for (const key in command) return key
  return ''
}
