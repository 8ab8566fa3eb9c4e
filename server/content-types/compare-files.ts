import type { Db } from 'mongodb'
import type { SourcedDefinition } from '../../engine/schema/define-all.js'
import { checkChanges } from './check-changes.js'
import { checkDefinitions } from './check-definitions.js'
import { readDefinitions } from './definition-store.js'
import { mergeDefinitions } from './merge-definitions.js'
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
  const stored = await readDefinitions(db)
  const chain = chainOf(stored.hashes, stored.definitions)
  const hash = hashOf(files)
  if (chain.at(-1) === hash) return { state: 'newest', effects: [] }
  if (isOlder(hash, chain)) return { state: 'older', effects: [] }
  const { definitions, before, former } = mergeDefinitions(files, stored)
  const { registry: after } = checkDefinitions(definitions, stored.version, hidden)
  return { state: 'new', effects: await checkChanges(db, { before, former, after, definitions }) }
}
