import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Db } from 'mongodb'
import type { SourcedDefinition } from '../../engine/schema/define/define-all.js'
import { isComponentUid } from '../../engine/schema/names.js'
import { createRegistryFrom } from '../../engine/schema/define/define-registry.js'
import type { Definition } from '../../engine/schema/content-type.js'
import type { Registry } from '../../engine/schema/registry.js'
import { readDefinitions, writeDefinitions } from '../../server/content-types/definition-store.js'
import { findSchemaFiles } from '../../server/content-types/find-schema-files.js'
import { mergeDefinitions, sourced } from '../../server/content-types/merge-definitions.js'
import { readSchemaFiles } from '../../server/content-types/schema-files.js'
import { findBase } from '../../server/project/find-base.js'
import type { Config } from '../../server/settings/config.js'
import { withFolders } from '../../server/upload/folders/folder-types.js'
import { adoptDefinitions } from '../adopt-definitions.js'
import type { OpenDatabase } from '../with-database.js'
import { findUnusedSamples } from '../init/sample-types.js'
import { compareDefinitions, type Comparison, type ImportOrigin } from './compare-definitions.js'
import { isFolder } from '../../server/project/safe-folder.js'

/** Compares an export's definitions with the project's. Throws a `SchemaError` if they contradict each other. */
export async function planDefinitions(
  config: Config,
  db: Db | undefined,
  exported: readonly SourcedDefinition[],
  origin: ImportOrigin,
): Promise<DefinitionPlan> {
  const all = await projectDefinitions(config, db, exported)
  const replaced = origin === 'export' ? await findUnusedSamples(all, db) : []
  const there = all.filter((definition) => !replaced.includes(definition))
  const compared = compareDefinitions(exported, there, origin)
  const planned = withFolders(createRegistryFrom([...there, ...compared.missing], 0))
  return { ...compared, exported, there, replaced, planned }
}

/** Throws if the definitions of an import differ from those of the project. */
export function refuseDifferences(differences: readonly string[], origin: ImportOrigin): void {
  if (differences.length === 0) return
  throw new Error(
    [
      `Definitions of the ${origin} differ from those of this project:`,
      ...differences.map((line) => `  ${line}`),
      'Make them equal, or use those of this project (--keep-definitions)',
    ].join('\n'),
  )
}

export type DefinitionPlan = Comparison &
  Readonly<{
    exported: readonly SourcedDefinition[]
    there: readonly SourcedDefinition[]
    /** Unused sample types, which are deleted from the project. Empty for an archive of Quire. */
    replaced: readonly SourcedDefinition[]
    /** The types that the project will have after the import, with the folders of the media library. */
    planned: Registry
  }>

/**
 * Returns the definitions of the project: those in `SCHEMA_DIR`, if it has any, and those created at run time. Without
 * `SCHEMA_DIR`, returns all definitions in the database.
 */
export async function projectDefinitions(
  { schemaDir, settings }: Config,
  db: Db | undefined,
  exported: readonly SourcedDefinition[],
): Promise<readonly SourcedDefinition[]> {
  const stored = db === undefined ? { definitions: [], previous: [] } : await readDefinitions(db)
  const known = stored.definitions.map(sourced)
  if (schemaDir === undefined) return known
  const isThere = (await isFolder(schemaDir)) && (await findSchemaFiles(schemaDir)).length > 0
  const customFields = settings['schema.customFields']
  const before = [...known, ...exported]
  const files = isThere ? await readSchemaFiles(schemaDir, { customFields, before }) : []
  return mergeDefinitions(files, stored).definitions
}

/** Returns the types that are defined in a database, with the folders of the media library. */
export async function storedRegistry(db: Db): Promise<Registry> {
  const { definitions, version } = await readDefinitions(db)
  return withFolders(createRegistryFrom(definitions.map(sourced), version))
}

/**
 * Writes the missing definitions into the project's folder, or into the database if there is no folder. Deletes the
 * replaced definitions from the folder.
 */
export async function placeDefinitions(
  { db, config: { schemaDir } }: OpenDatabase,
  { missing, replaced }: Pick<DefinitionPlan, 'missing' | 'replaced'>,
): Promise<void> {
  if (schemaDir !== undefined) {
    for (const { source } of replaced) await rm(source, { force: true })
    // Also delete the stored copies. Otherwise the service would warn at its next start that their files are missing.
    const remove = replaced.map(({ uid }) => uid)
    if (remove.length > 0) await writeDefinitions(db, { put: [], remove })
    return writeDefinitionFiles((await findBase(schemaDir)) ?? schemaDir, missing)
  }
  const put = missing.map(({ uid, kind, definition }) => {
    return { _id: uid, kind, definition, source: 'database' } as const
  })
  if (put.length > 0) await writeDefinitions(db, { put, remove: [] })
}

/** Writes definitions as a Strapi project does, into the folders `api` and `components` of `base`. */
export async function writeDefinitionFiles(
  base: string,
  definitions: readonly SourcedDefinition[],
): Promise<void> {
  for (const { source, definition } of definitions) {
    const file = path.join(base, source)
    await mkdir(path.dirname(file), { recursive: true })
    // Write a temporary file and rename it, because the service does not start with a half-written definition.
    const unfinished = `${file}.unfinished`
    await writeFile(unfinished, `${JSON.stringify(definition, null, 2)}\n`)
    await rename(unfinished, file)
  }
}

/** Adds the path of the definition's file. It is always inside the project, because uids contain no path separators. */
export function definitionOf(uid: string, definition: Definition): SourcedDefinition {
  if (isComponentUid(uid)) {
    const source = `components/${uid.replace('.', '/')}.json`
    return { kind: 'component', uid, source, definition }
  }
  const [, origin = '', owner = '', name = ''] = /^(\w+)::([^.]+)\.(.+)$/.exec(uid) ?? []
  const folder = origin === 'api' ? 'api' : 'extensions'
  const source = `${folder}/${owner}/content-types/${name}/schema.json`
  return { kind: 'content-type', uid, source, definition }
}

/**
 * Adopts the project's definitions, as the service does when it starts, and creates the indexes.
 * @param exported definitions that determine the data types of custom fields
 */
export async function openRegistry(
  database: OpenDatabase,
  exported: readonly SourcedDefinition[],
): Promise<Registry> {
  const { registry } = await adoptDefinitions(database, { exported })
  return withFolders(registry)
}
