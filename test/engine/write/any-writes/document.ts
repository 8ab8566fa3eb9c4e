import type { Content } from './content.js'
import type { Field, Type } from './structures.js'

export type Status = 'draft' | 'published'
export const statuses: readonly Status[] = ['draft', 'published']

/** An edit of an inverse relation that was made in a draft: its place in the list, null = taken out. */
export type Pending = Readonly<{ field: Field; owner: number; at: string; order: number | null }>

/** A document in one locale; without draft & publish it has a draft only. */
export type Entry = { draft: Content; published?: Content; pending: Pending[] }

/** By locale; '' where there are none. */
export type Doc = Readonly<{ type: Type; entries: Map<string, Entry> }>
