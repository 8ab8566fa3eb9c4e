import type { ContentChange } from '../../engine/schema/content-changes.js'
import type { SchemaProblem } from '../../engine/schema/schema-error.js'
import type { Types } from '../../engine/schema/stored-places.js'
import type { ContentCounter } from './content-counter.js'

/** What a changed definition does to stored content. Its line (`lineOf`) is what every command prints. */
export type SchemaEffect = SchemaProblem &
  Readonly<{
    kind: ContentChange['kind'] | 'type-renamed' | 'permissions' | 'rename-unknown'
    uid: string
    /** Entries that it is about, or values, of `unique`; absent: they could not be counted in time. */
    count?: number
    /** Whether there are more than `count`. */
    more: boolean
    /** Whether a start refuses it. */
    refused: boolean
  }>

/** An effect without what its change says already. */
export type Found = Pick<SchemaEffect, 'path' | 'message'> & Partial<SchemaEffect>

/** The database and the definitions that effects are found in. */
export type Scope = Readonly<{ counter: ContentCounter; old: Types; after: Types }>
