import type { Db } from 'mongodb'
import type { SourcedDefinition } from '../../engine/schema/define-all.js'
import { checkChanges } from './check-changes.js'
import { checkDefinitions } from './check-definitions.js'
import type { Stored } from './definition-store.js'
import { mergeDefinitions, sourced } from './merge-definitions.js'
import { withFormer } from './schema-chain.js'

/**
 * Whether a start over this database would take these files, as far as definitions and content go. Reads only.
 * @param stored what the database has
 * @throws SchemaError that names all that is wrong
 */
export async function checkNewDefinitions(
  db: Db,
  files: readonly SourcedDefinition[],
  { definitions: known, former, version }: Stored,
): Promise<void> {
  const { definitions } = mergeDefinitions(files, known)
  const { registry } = checkDefinitions(definitions, version)
  const before = withFormer(former, known.map(sourced))
  await checkChanges(db, { before, after: registry, definitions })
}
