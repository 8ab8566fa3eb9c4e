import type { Db } from 'mongodb'
import type { SourcedDefinition } from '../../engine/schema/define/define-all.js'
import { SchemaError } from '../../engine/schema/schema-error.js'
import { reviewChange, unfinished } from './check-changes.js'
import { checkDefinitions } from './check-definitions.js'
import { readDefinitions, type Stored } from './definition-store.js'
import { definitionDifferences, type DefinitionDifference } from './definition-differences.js'
import { mergeDefinitions, sourced, type Merged } from './merge-definitions.js'
import { chainOf, hashOf, isOlder } from './schema-chain.js'
import type { SchemaEffect } from './schema-effect.js'
import { effectLines } from './schema-effects.js'

/** What definition files would change in a database. */
export type SchemaDifference = Readonly<{
  /**
   * `newest`: the database saw these files last. `older`: it has seen newer ones since. `new`: they would become the
   * newest at the next start, unless there is a problem.
   */
  state: 'newest' | 'older' | 'new'
  differences: readonly DefinitionDifference[]
  effects: readonly SchemaEffect[]
  /** What Quire would warn of if it started with these files, such as a misspelled option. */
  warnings: readonly string[]
  /** Why Quire would fail to start with these files. */
  problem?: string
}>

type Review = Readonly<{
  /** Setting `api.responses.privateAttributes`. */
  hidden?: readonly string[] | undefined
  /**
   * Whether entries are or will be converted for features that the definitions turn on. If false, definitions that
   * require a conversion are rejected.
   */
  converted?: boolean | undefined
  /** Whether only this process uses the database. */
  singleProcess: boolean
}>

/** Merges definition files with those of a database, and determines which are newer. */
export function compareFiles(files: readonly SourcedDefinition[], stored: Stored) {
  const chain = chainOf(stored.hashes, stored.definitions)
  const hash = hashOf(files)
  const isNewest = chain.at(-1) === hash
  const state: SchemaDifference['state'] = isNewest
    ? 'newest'
    : isOlder(hash, chain)
      ? 'older'
      : 'new'
  return { state, hash, chain, merged: mergeDefinitions(files, stored) }
}

/**
 * Checks merged definitions as a starting service does, without writing. Throws SchemaError with all problems and
 * effects, or Error if a conversion is unfinished.
 */
export async function checkMerged(db: Db, stored: Stored, merged: Merged, options: Review) {
  const { problems, blocked, ...checked } = await review(db, stored, merged, options)
  if (blocked !== undefined) throw new Error(blocked)
  if (problems.length > 0) throw new SchemaError(problems, effectLines(checked.effects))
  return checked
}

/** Returns what would change if these files, even older ones, replaced the definitions of a database. Only reads. */
export async function diffFiles(
  db: Db,
  files: readonly SourcedDefinition[],
  options: Pick<Review, 'hidden' | 'singleProcess'>,
): Promise<SchemaDifference> {
  const stored = await readDefinitions(db)
  const { state, merged } = compareFiles(files, stored)
  const before = stored.definitions.map(sourced)
  const differences = definitionDifferences(before, merged.definitions, merged.renamed)
  try {
    const { effects, warnings, problems, blocked } = await review(db, stored, merged, options)
    const refusal = problems.length > 0 ? new SchemaError(problems).message : undefined
    const problem = blocked ?? refusal
    return { state, differences, effects, warnings, ...(problem !== undefined && { problem }) }
  } catch (error) {
    if (!(error instanceof SchemaError)) throw error
    return { state, differences, effects: [], warnings: [], problem: error.message }
  }
}

/** Checks merged definitions. If they differ from those of the database, also checks the effects on content. */
async function review(
  db: Db,
  stored: Stored,
  { definitions, changes, before, everDefined, replaced, renamed }: Merged,
  { hidden, converted = false, singleProcess }: Review,
) {
  const { registry, warnings } = checkDefinitions(definitions, stored.version, hidden)
  const change = { before, everDefined, replaced, renamed, after: registry, definitions, converted }
  const hasChanges = changes.put.length + changes.remove.length > 0
  const { problems, effects } = hasChanges
    ? await reviewChange(db, change, singleProcess)
    : { problems: [], effects: [] }
  const { converting } = stored
  const isBlocked = hasChanges && !converted && converting !== undefined
  const blocked = isBlocked ? unfinished(converting) : undefined
  return { registry, warnings, change, hasChanges, problems, effects, blocked }
}
