import type { Content } from './content.js'
import type { Field, Type } from './structures.js'

export type Status = 'draft' | 'published'
export const statuses: readonly Status[] = ['draft', 'published']

/**
 * An edit in a draft, made through the inverse side of a relation. `order`: position in the inverse list; null =
 * removed.
 */
export type Pending = Readonly<{ field: Field; owner: number; at: string; order: number | null }>

/** A document in one locale. If its type has no draft & publish, the entry has only `draft`. */
export type Entry = { draft: Content; published?: Content; pending: Pending[] }

/** A document. Its entries are by locale; '' for types without locales. */
export type Doc = Readonly<{ type: Type; entries: Map<string, Entry> }>
