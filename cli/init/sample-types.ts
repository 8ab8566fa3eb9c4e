import path from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { Db } from 'mongodb'
import type { SourcedDefinition } from '../../engine/schema/define/define-all.js'
import { createRegistryFrom } from '../../engine/schema/define/define-registry.js'
import { readSchemaFiles } from '../../server/content-types/schema-files.js'
import { packageRoot } from '../../server/settings/own-command.js'
import { hasEntries } from '../import-runner/find-made.js'

/** The folder that `quire init` copies. */
export const template = path.join(packageRoot, 'template')

/**
 * Finds the sample types from `quire init` in a project. Returns none unless all of them are unused: their files are
 * unchanged, no other definition refers to them, and they have no entries.
 */
export async function findUnusedSamples(
  there: readonly SourcedDefinition[],
  db: Db | undefined,
): Promise<readonly SourcedDefinition[]> {
  const samples = await readSchemaFiles(path.join(template, 'schema'))
  const generated = new Map(samples.map(({ uid, definition }) => [uid, definition]))
  const found = there.filter(({ uid }) => generated.has(uid))
  const others = JSON.stringify(there.filter((one) => !found.includes(one)))
  const isUsed =
    found.some(
      ({ uid, source, definition }) =>
        !path.isAbsolute(source) || !isDeepStrictEqual(definition, generated.get(uid)),
    ) || [...generated.keys()].some((uid) => others.includes(JSON.stringify(uid)))
  if (isUsed) return []
  if (db === undefined) return found
  for (const type of createRegistryFrom(samples, 0).contentTypes.values())
    if (generated.has(type.uid) && (await hasEntries(db, type))) return []
  return found
}
