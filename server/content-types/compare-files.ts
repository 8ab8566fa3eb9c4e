import type { Db } from 'mongodb'
import type { SourcedDefinition } from '../../engine/schema/define-all.js'
import { SchemaError } from '../../engine/schema/schema-error.js'
import { checkChanges } from './check-changes.js'
import { checkDefinitions } from './check-definitions.js'
import { readDefinitions } from './definition-store.js'
import { definitionDifferences, type DefinitionDifference } from './definition-differences.js'
import { mergeDefinitions, sourced } from './merge-definitions.js'
import { chainOf, hashOf, isOlder } from './schema-chain.js'
import type { SchemaEffect } from './schema-effects.js'

/** How definition files stand to those of a database. */
export type Comparison = Readonly<{
  /** `older`: others came after them. `new`: a start makes them the newest. */
  state: 'newest' | 'older' | 'new'
  /** What a start does to content that makes `new` ones the newest. */
  effects: readonly SchemaEffect[]
}>

/**
 * Compares definition files with those of a database, as a start would. Reads only. `hidden` is the setting
 * `api.responses.privateAttributes`.
 * @throws SchemaError that names all that is wrong where a start would refuse to make them the newest
 */
export async function compareFiles(
  db: Db,
  files: readonly SourcedDefinition[],
  hidden?: readonly string[],
): Promise<Comparison> {
  const { state, effects } = await planChange(db, files, hidden)
  return { state, effects: state === 'new' ? await effects() : [] }
}

/** What changes where definition files take the place of those of a database. */
export type SchemaDifference = Readonly<{
  differences: readonly DefinitionDifference[]
  effects: readonly SchemaEffect[]
  /** Why a start would refuse them. */
  problem?: string
}>

/** Shows what changes where definition files, newer or older ones, take the place of those of a database. Reads only. */
export async function diffFiles(
  db: Db,
  files: readonly SourcedDefinition[],
  hidden?: readonly string[],
): Promise<SchemaDifference> {
  const { before, definitions, effects } = await planChange(db, files, hidden)
  const differences = definitionDifferences(before, definitions)
  try {
    return { differences, effects: await effects() }
  } catch (error) {
    if (!(error instanceof SchemaError)) throw error
    return { differences, effects: [], problem: error.message }
  }
}

async function planChange(
  db: Db,
  files: readonly SourcedDefinition[],
  hidden: readonly string[] | undefined,
) {
  const stored = await readDefinitions(db)
  const chain = chainOf(stored.hashes, stored.definitions)
  const hash = hashOf(files)
  const isNewest = chain.at(-1) === hash
  const state: Comparison['state'] = isNewest ? 'newest' : isOlder(hash, chain) ? 'older' : 'new'
  const { definitions, before, former, replaced, renamed } = mergeDefinitions(files, stored)
  const effects = async (): Promise<readonly SchemaEffect[]> => {
    const { registry: after } = checkDefinitions(definitions, stored.version, hidden)
    return checkChanges(db, { before, former, replaced, renamed, after, definitions })
  }
  return { state, before: stored.definitions.map(sourced), definitions, effects }
}
