import type { Db } from 'mongodb'
import type { SourcedDefinition } from '../../engine/schema/define-all.js'
import { SchemaError } from '../../engine/schema/schema-error.js'
import { reviewChange, unfinished } from './check-changes.js'
import { checkDefinitions } from './check-definitions.js'
import { readDefinitions, type Stored } from './definition-store.js'
import { definitionDifferences, type DefinitionDifference } from './definition-differences.js'
import { mergeDefinitions, sourced, type Merged } from './merge-definitions.js'
import { chainOf, hashOf, isOlder } from './schema-chain.js'
import { effectLines, type SchemaEffect } from './schema-effects.js'

/** What changes where definition files take the place of those of a database. */
export type SchemaDifference = Readonly<{
  /** `older`: others came after the files. `new`: a start makes the files the newest, if there is no problem. */
  state: 'newest' | 'older' | 'new'
  differences: readonly DefinitionDifference[]
  effects: readonly SchemaEffect[]
  /** Why a start would refuse them. */
  problem?: string
}>

type Review = Readonly<{
  /** The setting `api.responses.privateAttributes`. */
  hidden?: readonly string[] | undefined
  /** Whether entries are, or are about to be, converted for what is turned on; default: that is refused. */
  converted?: boolean | undefined
}>

/** Joins definition files with the definitions of a database, and says which of them are the newer ones. */
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
 * Checks what takes the place of the definitions of a database as a start does. Reads only.
 * @throws SchemaError that names all that is wrong and what else becomes of content; Error if a conversion is under way
 */
export async function checkMerged(db: Db, stored: Stored, merged: Merged, options: Review) {
  const { problems, unended, ...checked } = await review(db, stored, merged, options)
  if (unended !== undefined) throw new Error(unended)
  if (problems.length > 0) throw new SchemaError(problems, effectLines(checked.effects))
  return checked
}

/** Shows what changes where definition files, newer or older ones, take the place of those of a database. Reads only. */
export async function diffFiles(
  db: Db,
  files: readonly SourcedDefinition[],
  hidden?: readonly string[],
): Promise<SchemaDifference> {
  const stored = await readDefinitions(db)
  const { state, merged } = compareFiles(files, stored)
  const differences = definitionDifferences(stored.definitions.map(sourced), merged.definitions)
  try {
    const { effects, problems, unended } = await review(db, stored, merged, { hidden })
    const refusal = problems.length > 0 ? new SchemaError(problems).message : undefined
    const problem = unended ?? refusal
    return { state, differences, effects, ...(problem !== undefined && { problem }) }
  } catch (error) {
    if (!(error instanceof SchemaError)) throw error
    return { state, differences, effects: [], problem: error.message }
  }
}

/** Checks definitions by themselves; those that change something, against content too. */
async function review(
  db: Db,
  stored: Stored,
  { definitions, changes, before, former, replaced, renamed }: Merged,
  { hidden, converted = false }: Review,
) {
  const { registry, warnings } = checkDefinitions(definitions, stored.version, hidden)
  const change = { before, former, replaced, renamed, after: registry, definitions, converted }
  const hasChanges = changes.put.length + changes.remove.length > 0
  const { problems, effects } = hasChanges
    ? await reviewChange(db, change)
    : { problems: [], effects: [] }
  const { converting } = stored
  const isHeldUp = hasChanges && !converted && converting !== undefined
  const unended = isHeldUp ? unfinished(converting) : undefined
  return { registry, warnings, change, hasChanges, problems, effects, unended }
}
