import { mkdir, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Db } from 'mongodb'
import type { SourcedDefinition } from '../../engine/schema/define-all.js'
import { isComponentUid } from '../../engine/schema/names.js'
import type { Registry } from '../../engine/schema/registry.js'
import { readDefinitions, writeDefinitions } from '../../server/content-types/definition-store.js'
import { findSchemaFiles } from '../../server/content-types/find-schema-files.js'
import { mergeDefinitions, sourced } from '../../server/content-types/merge-definitions.js'
import { readSchemaFiles } from '../../server/content-types/schema-files.js'
import { openSchemaStore } from '../../server/content-types/store.js'
import { findBase } from '../../server/project/find-base.js'
import type { Config } from '../../server/settings/config.js'
import { withFolders } from '../../server/upload/folders/folder-types.js'
import type { OpenDatabase } from '../with-database.js'
import { isFolder } from '../../server/project/safe-folder.js'

/**
 * The definitions of the project: those of `SCHEMA_DIR`, none where there is nothing in it yet, and those that were made
 * at run time, which the database alone has; without such a folder those of the database.
 * @param db where there is one to look into
 */
export async function projectDefinitions(
  { schemaDir, settings }: Pick<Config, 'schemaDir' | 'settings'>,
  db?: Db,
): Promise<readonly SourcedDefinition[]> {
  if (schemaDir === undefined) return db === undefined ? [] : definitionsOf(db)
  const isThere = (await isFolder(schemaDir)) && (await findSchemaFiles(schemaDir)).length > 0
  const customFields = settings['schema.customFields']
  const files = isThere ? await readSchemaFiles(schemaDir, { customFields }) : []
  if (db === undefined) return files
  return mergeDefinitions(files, (await readDefinitions(db)).definitions).definitions
}

/** Those that a database has. */
export async function definitionsOf(db: Db): Promise<readonly SourcedDefinition[]> {
  return (await readDefinitions(db)).definitions.map(sourced)
}

/** Writes definitions where the project has its own. */
export async function placeDefinitions(
  { db, config: { schemaDir } }: Pick<OpenDatabase, 'db' | 'config'>,
  definitions: readonly SourcedDefinition[],
): Promise<void> {
  if (schemaDir === undefined) await storeDefinitions(db, definitions)
  else await writeFiles(schemaDir, definitions)
}

/** In the layout of a Strapi project. */
async function writeFiles(
  schemaDir: string,
  definitions: readonly SourcedDefinition[],
): Promise<void> {
  const base = (await findBase(schemaDir)) ?? schemaDir
  for (const { source, definition } of definitions) {
    const file = path.join(base, source)
    await mkdir(path.dirname(file), { recursive: true })
    // Whole or not at all: a start would stop at half a definition.
    const unfinished = `${file}.unfinished`
    await writeFile(unfinished, `${JSON.stringify(definition, null, 2)}\n`)
    await rename(unfinished, file)
  }
}

/** As types that have no files. */
async function storeDefinitions(db: Db, definitions: readonly SourcedDefinition[]): Promise<void> {
  if (definitions.length === 0) return
  const put = definitions.map(({ uid, kind, definition }) => ({
    _id: uid,
    kind,
    definition,
    source: 'database' as const,
  }))
  await writeDefinitions(db, { put, remove: [] })
}

/** The file of a definition in the layout of a Strapi project; a uid allows no path that leads elsewhere. */
export function sourceOf(uid: string): string {
  if (isComponentUid(uid)) return `components/${uid.replace('.', '/')}.json`
  const [, origin = '', owner = '', name = ''] = /^(\w+)::([^.]+)\.(.+)$/.exec(uid) ?? []
  return origin === 'api'
    ? `api/${owner}/content-types/${name}/schema.json`
    : `extensions/${owner}/content-types/${name}/schema.json`
}

/** Returns the registry that the service would have, with the folders of the media library. Makes the indexes. */
export async function openRegistry({ db, log, alone, config }: OpenDatabase): Promise<Registry> {
  const { schemaDir, settings } = config
  const store = await openSchemaStore({
    db,
    log,
    schemaDir,
    alone,
    customFields: settings['schema.customFields'],
    hidden: settings['api.responses.privateAttributes'],
  })
  await store.stop()
  return withFolders(store.registry())
}
