import { commandKind } from './command-kind.js'
import { counted, documentsOf, numberIn } from './count-changes.js'

/** What a command may have changed. */
export type WrittenDocuments = Readonly<{
  collection: string
  /**
   * Those that it names, in whatever locale; undefined: any of the collection. Of a collection of our own (`_…`), which
   * holds no entries, their `_id`s.
   */
  documentIds: readonly string[] | undefined
}>

/** Is told of what was written, once for each command or transaction; undefined: anything may have been. */
export type WriteListener = (written: readonly WrittenDocuments[] | undefined) => void

type Command = Readonly<Record<string, unknown>>

/**
 * The documents that a command has written, by what it says of them; undefined where it has written none.
 * @param answer undefined where there was none: all that it may have written is named
 */
export function documentsWrittenBy(
  command: Command,
  answer: unknown,
): WrittenDocuments | undefined {
  const kind = commandKind(command)
  const collection = command[kind]
  if (typeof collection !== 'string') return undefined
  if (kind === 'drop') return { collection, documentIds: undefined }
  if (!counted.has(kind)) return undefined
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

/** What the documents are found by; of those that are inserted, themselves. */
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
