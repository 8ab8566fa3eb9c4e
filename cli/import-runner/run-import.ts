import type { Db } from 'mongodb'
import type { Registry } from '../../engine/schema/registry.js'
import { forgetUniques } from '../../server/content-types/keep-uniques.js'
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
  type Brings,
  type ImportRecord,
} from './import-record.js'

/** Options of the command line. */
export type ImportOptions = Readonly<{
  /** Removes existing content first. */
  replace: boolean
  /** Keeps the definitions of the project where they differ. */
  keepDefinitions: boolean
}>

/** The source of an import. */
export type ImportSource<R extends ImportRecord> = Readonly<{
  /** Identifies the source, so that an interrupted import of it can continue. */
  id: string
  /** Whether an earlier import of it was started with the same options. */
  isSame: (record: R) => boolean
  /** Checks, and changes nothing. @throws Error */
  plan: () => Promise<ImportPlan<R>> | ImportPlan<R>
}>

type ImportPlan<R extends ImportRecord> = Readonly<{
  /**
   * Whether it replaces everything that an unfinished import of another source brings. `undefined`: that is all
   * content.
   */
  covers: (half: Brings | undefined) => boolean
  /** Names the content created by people that it would replace. */
  findContent: () => Promise<readonly string[]>
  /**
   * Prepares what the stages need, also when an interrupted import continues.
   * @param begun the record of the interrupted import
   */
  start: (begun: R | undefined) => Promise<StartedImport<R>> | StartedImport<R>
}>

type StartedImport<R extends ImportRecord> = Readonly<{
  record: R
  registry: Registry
  /** In their order. Each can be repeated. */
  stages: readonly ImportStage<R>[]
}>

export type ImportStage<R extends ImportRecord> = Readonly<{
  from: R['stage']
  /** Returns the changes of the record, including the next stage. */
  run: (record: R, providers: Providers) => Promise<Partial<R>>
}>

/**
 * Imports into a database that no other process uses. Continues an interrupted import of this source, and repeats a
 * finished one only with `replace`. Each stage begins when the writes of the previous one are on disk.
 * @returns the record, and whether an earlier run had finished the import, so that this one changed nothing
 * @throws Error if it would be mixed with other content or other definitions
 */
export async function runImport<R extends ImportRecord>(
  database: OpenDatabase,
  source: ImportSource<R>,
  replace: boolean,
) {
  const { db, alone } = database
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
    const other = await findOtherStore({ db, files, store, isChosen: true, alone })
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
 * @returns the record of an earlier run that finished it, otherwise how to start it
 * @throws Error if it is rejected
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
    throw new Error('This import was begun with other --only and --exclude: repeat it with those')
  const { covers, findContent, start } = await plan()
  if (begun === undefined) {
    await refuseHalf(db, covers, replace)
    const found = replace ? [] : await findContent()
    if (found.length > 0)
      throw new Error(
        `There is content here already (${found.join(', ')}): import into an empty database, or take away what is there (--replace)`,
      )
  }
  return { begun, start }
}

/** Throws if another import is unfinished, unless `--replace` is set and this import brings everything of that one. */
async function refuseHalf(
  db: Db,
  covers: (half: Brings | undefined) => boolean,
  replace: boolean,
): Promise<void> {
  const half = await importRecords(db).findOne({ stage: { $ne: 'done' } })
  if (half === null || (replace && covers(half.brings))) return
  throw new Error(
    `The import of another archive was cut off here: repeat that one, or take away what it left (${replace ? '--replace with an archive, and parts of it, that bring all of that: some of it would stay by half' : '--replace'})`,
  )
}
