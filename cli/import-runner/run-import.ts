import type { Db } from 'mongodb'
import type { Registry } from '../../engine/schema/registry.js'
import { forgetUniques } from '../../server/content-types/keep-uniques.js'
import { commandToContinue } from '../../server/database/half-imported.js'
import { filesIn } from '../../server/upload/files-in.js'
import type { FileDocument } from '../../server/upload/maintenance/file-documents.js'
import { findOtherStore } from '../../server/upload/own-store.js'
import type { Providers } from '../../server/upload/storage-provider.js'
import { withStores } from '../media/with-stores.js'
import type { OpenDatabase } from '../with-database.js'
import {
  beginImport,
  forgetOthers,
  importRecords,
  saveProgress,
  type ReplacedData,
  type ImportRecord,
} from './import-record.js'

/** Options of the command line. */
export type ImportOptions = Readonly<{
  replace: boolean
  /** Whether the project's definitions take precedence over imported ones that differ. */
  keepDefinitions: boolean
}>

/** The source of an import. */
export type ImportSource<R extends ImportRecord> = Readonly<{
  /** A later run with the same id continues an interrupted import. */
  id: string
  isSame: (record: R) => boolean
  /** Checks the source without changing anything. Throws if the import is not possible. */
  plan: () => Promise<ImportPlan<R>> | ImportPlan<R>
}>

type ImportPlan<R extends ImportRecord> = Readonly<{
  /**
   * Whether this import replaces everything that an unfinished import of another source may have written.
   * @param half the data of the unfinished import; undefined if all content may be incomplete
   */
  covers: (half: ReplacedData | undefined) => boolean
  /** Lists the content that people created and that the import would replace. */
  findContent: () => Promise<readonly string[]>
  /** @param begun the record of the interrupted import, if this run continues one */
  start: (begun: R | undefined) => Promise<StartedImport<R>> | StartedImport<R>
}>

type StartedImport<R extends ImportRecord> = Readonly<{
  record: R
  registry: Registry
  /** The stages in the order in which they run. An interrupted stage runs again. */
  stages: readonly ImportStage<R>[]
}>

export type ImportStage<R extends ImportRecord> = Readonly<{
  from: R['stage']
  /** Returns the changes to the record, including the next stage. */
  run: (record: R, providers: Providers) => Promise<Partial<R>>
}>

/**
 * Imports into a database that no other process uses, or continues an interrupted import. Repeats a finished import
 * only with `replace`. Without it, changes nothing, and returns `wasDone: true`. Each stage begins after the writes of
 * the previous one are on disk.
 * @throws Error if imported content would be mixed with other content or other definitions
 */
export async function runImport<R extends ImportRecord>(
  database: OpenDatabase,
  source: ImportSource<R>,
  replace: boolean,
) {
  const { db, singleProcess } = database
  const { id } = source
  const checked = await checkImport(db, source, replace)
  if ('done' in checked) {
    await forgetOthers(db, id)
    return { record: checked.done, wasDone: true }
  }
  const { begun, start } = checked
  const { record, registry, stages } = await start(begun)
  if (begun === undefined) await beginImport(db, record)
  await forgetOthers(db, id)
  await forgetUniques(db)
  return withStores(database, async (providers) => {
    const files = filesIn<FileDocument>(db, registry)
    const store = providers.chosen
    const other = await findOtherStore({ db, files, store, isChosen: true, singleProcess })
    if (other !== undefined) throw new Error(other)
    let reached = record
    for (const { from, run } of stages)
      if (reached.stage === from)
        reached = await saveProgress(db, reached, await run(reached, providers))
    return { record: reached, wasDone: false }
  })
}

/**
 * Checks whether an import may run. Changes nothing.
 * @returns the record of an earlier run that finished the import; otherwise, a function that starts the import
 */
export async function checkImport<R extends ImportRecord>(
  db: Db,
  { id, isSame, plan }: ImportSource<R>,
  replace: boolean,
) {
  const before = (await importRecords(db).findOne({ _id: id })) as R | null
  const begun = before === null || before.stage === 'done' ? undefined : before
  if (before?.stage === 'done' && !replace && isSame(before)) return { done: before }
  if (begun !== undefined && !isSame(begun))
    throw new Error(
      'This import was started with other values of --only and --exclude. Run it again with the same values',
    )
  const { covers, findContent, start } = await plan()
  if (begun === undefined) {
    await refuseHalf(db, covers, replace)
    const found = replace ? [] : await findContent()
    if (found.length > 0)
      throw new Error(
        `The database already has content (${found.join(', ')}). Import into an empty database, or remove the content first (--replace)`,
      )
  }
  return { begun, start }
}

/**
 * Throws if an import of another source is unfinished, unless `--replace` is given and the new import replaces
 * everything that the unfinished import may have written.
 */
async function refuseHalf(
  db: Db,
  covers: (half: ReplacedData | undefined) => boolean,
  replace: boolean,
): Promise<void> {
  const half = await importRecords(db).findOne({ stage: { $ne: 'done' } })
  if (half === null || (replace && covers(half.brings))) return
  const wayOut = replace
    ? 'choose an archive, and parts with --only and --exclude, that cover everything the interrupted import replaces. Otherwise part of its content would stay incomplete'
    : 'add --replace to this import'
  throw new Error(
    `Another import into this database was interrupted. To continue it, run ${commandToContinue(half.command)}. To give it up, ${wayOut}.`,
  )
}
