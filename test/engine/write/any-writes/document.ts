import type { Content } from './content.js'
import type { Field, Type } from './structures.js'

export type Status = 'draft' | 'published'
export const statuses: readonly Status[] = ['draft', 'published']

/** An edit of an inverse relation in a draft. `order`: position in the list; null = removed. */
export type Pending = Readonly<{ field: Field; owner: number; at: string; order: number | null }>

/** A document in one locale. Without draft & publish it has only a draft. */
export type Entry = { draft: Content; published?: Content; pending: Pending[] }

/** A document. Its entries are by locale; '' for types without locales. */
export type Doc = Readonly<{ type: Type; entries: Map<string, Entry> }>
