import type { Db } from 'mongodb'
import type { Registry } from '../../engine/schema/registry.js'
import type { Providers } from '../../server/upload/storage-provider.js'
import { findForeignStore, withStores } from '../media/with-stores.js'
import type { OpenDatabase } from '../with-database.js'
import { ImportRefused } from './import-refused.js'
import {
  beginImport,
  forgetOthers,
  importRecords,
  saveProgress,
  type Brings,
  type ImportRecord,
} from './import-record.js'

/** What an import is told on the command line. */
export type ImportOptions = Readonly<{
  /** What is there before is taken away. */
  replace: boolean
  /** Where definitions differ, those of the project count. */
  keepDefinitions: boolean
  progress: (what: string) => void
}>

/** Where an import comes from. */
export type ImportSource<R extends ImportRecord> = Readonly<{
  /** What it is known by, so that an import that was cut off goes on. */
  id: string
  /** Whether an earlier import of it was to bring the same. */
  isSame: (record: R) => boolean
  /** Checks, and changes nothing. @throws ImportRefused */
  plan: () => Promise<ImportPlan<R>>
}>

type ImportPlan<R extends ImportRecord> = Readonly<{
  /** Whether it takes the place of all that the import of another source left by half; undefined: of everything. */
  covers: (half: Brings | undefined) => boolean
  /** What somebody made of all that it would take the place of, in words. */
  findContent: () => Promise<readonly string[]>
  /**
   * Prepares what the stages need, each time that it is run.
   * @param begun the record of an import that was cut off
   */
  start: (begun: R | undefined) => Promise<StartedImport<R>>
}>

type StartedImport<R extends ImportRecord> = Readonly<{
  record: R
  registry: Registry
  /** In their order; each can be repeated. */
  stages: readonly ImportStage<R>[]
}>

export type ImportStage<R extends ImportRecord> = Readonly<{
  from: R['stage']
  /** Answers what is to be known afterwards, the next stage among it. */
  run: (record: R, providers: Providers) => Promise<Partial<R>>
}>

/** How an import ended. */
type Imported<R extends ImportRecord> = Readonly<{
  record: R
  /** Whether it had been done before, and nothing was changed. */
  wasDone: boolean
}>

/**
 * Imports into a database that nobody else uses: what was begun with this source goes on, what was done is done. No
 * stage begins before what the one before it did is on disk.
 * @throws ImportRefused where that would mix it with other content, or with other definitions
 */
export async function runImport<R extends ImportRecord>(
  database: OpenDatabase,
  { id, isSame, plan }: ImportSource<R>,
  replace: boolean,
): Promise<Imported<R>> {
  const { db } = database
  const before = (await importRecords(db).findOne({ _id: id })) as R | null
  const begun = before === null || before.stage === 'done' ? undefined : before
  if (before?.stage === 'done' && !replace && isSame(before)) {
    await forgetOthers(db, id)
    return { record: before, wasDone: true }
  }
  if (begun !== undefined && !isSame(begun))
    throw new ImportRefused(
      'This import was begun with other --only and --exclude: repeat it with those',
    )
  const { covers, findContent, start } = await plan()
  if (begun === undefined) {
    await refuseHalf(db, covers, replace)
    if (!replace) refuseContent(await findContent())
  }
  const { record, registry, stages } = await start(begun)
  if (begun === undefined) await beginImport(db, record)
  await forgetOthers(db, id)
  return withStores(database, async (providers) => {
    const other = await findForeignStore(database, registry, providers)
    if (other !== undefined) throw new ImportRefused(other)
    let reached = record
    for (const { from, run } of stages)
      if (reached.stage === from)
        reached = await saveProgress(db, reached, await run(reached, providers))
    return { record: reached, wasDone: false }
  })
}

/** What the import of another source left by half goes with `--replace` where all of that is brought now. */
async function refuseHalf(
  db: Db,
  covers: (half: Brings | undefined) => boolean,
  replace: boolean,
): Promise<void> {
  const half = await importRecords(db).findOne({ stage: { $ne: 'done' } })
  if (half === null || (replace && covers(half.brings))) return
  throw new ImportRefused(
    `The import of another archive was cut off here: repeat that one, or take away what it left (${replace ? '--replace with an archive, and parts of it, that bring all of that: some of it would stay by half' : '--replace'})`,
  )
}

function refuseContent(found: readonly string[]): void {
  if (found.length > 0)
    throw new ImportRefused(
      `There is content here already (${found.join(', ')}): import into an empty database, or take away what is there (--replace)`,
    )
}
