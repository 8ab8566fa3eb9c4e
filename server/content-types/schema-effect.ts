import type { ContentChange } from '../../engine/schema/compare/content-changes.js'
import type { SchemaProblem } from '../../engine/schema/schema-error.js'
import type { Types } from '../../engine/schema/stored-places.js'
import type { ContentCounter } from './content-counter.js'

/** An effect of a changed definition on stored content. Every command prints it as one line (`lineOf`). */
export type SchemaEffect = SchemaProblem &
  Readonly<{
    kind: ContentChange['kind'] | 'type-renamed' | 'permissions' | 'rename-unknown'
    uid: string
    /** Number of affected entries, or of duplicate values for `unique`. Absent if counting took too long. */
    count?: number
    /** Whether more than `count` entries or values are affected. */
    more: boolean
    /** Whether the effect prevents the service from starting. */
    refused: boolean
  }>

/** An effect without the members that can be derived from its change. */
export type Found = Pick<SchemaEffect, 'path' | 'message'> & Partial<SchemaEffect>

/** The database and the definitions for which effects are determined. */
export type Scope = Readonly<{ counter: ContentCounter; old: Types; after: Types }>
