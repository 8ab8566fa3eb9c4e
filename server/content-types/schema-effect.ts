import type { ContentChange } from '../../engine/schema/compare/content-changes.js'
import type { SchemaProblem } from '../../engine/schema/schema-error.js'
import type { Types } from '../../engine/schema/stored-places.js'
import type { ContentCounter } from './content-counter.js'

/** An effect of changed definitions on stored content. */
export type SchemaEffect = SchemaProblem &
  Readonly<{
    kind: ContentChange['kind'] | 'type-renamed' | 'permissions' | 'rename-unknown'
    uid: string
    /** Number of affected entries; for `unique`, of duplicate values. Absent if counting took too long. */
    count?: number
    /** Whether there are more than `count`. */
    more: boolean
    /** Whether this prevents the service from starting. */
    refused: boolean
  }>

/** An effect without the members that `schemaEffects` adds. */
export type Found = Pick<SchemaEffect, 'path' | 'message'> & Partial<SchemaEffect>

/** The database and the definitions for which effects are determined. */
export type Scope = Readonly<{ counter: ContentCounter; old: Types; after: Types }>
