import type { Db } from 'mongodb'
import type { Logger } from 'pino'
import { createIndexes, dropIndex, listIndexes } from '../../engine/database/ensure-indexes.js'
import type { RecordedIndex } from '../../engine/database/recorded-indexes.js'
import {
  fitsType,
  indexOf,
  isWanted,
  recordedIndexes,
} from '../../engine/database/recorded-indexes.js'
import { databaseError } from '../../engine/errors/database-errors.js'
import type { ContentType } from '../../engine/schema/content-type.js'
import { collectionsOf } from '../../engine/schema/content-type.js'
import { indexList } from '../../engine/schema/index-list.js'
import type { Registry } from '../../engine/schema/registry.js'
import type { IndexBudget, IndexMode } from './index-budget.js'
import { indexSizes, budgetShortage } from './index-budget.js'
import { recordAdvice, recordOf } from './record-index.js'
import type { Weigher } from './weigh-demands.js'

type StepOptions = Readonly<{
  db: Db
  log: Logger
  registry: () => Registry
  mode: IndexMode
  budget: IndexBudget
  unusedMs: number
  refusal?: (() => unknown) | undefined
  weigher: Weigher
  now: () => number
  signal: AbortSignal
}>

/** Changes automatic indexes step by step. Only one process at a time may run steps. */
export type IndexSteps = Readonly<{
  /** Returns the next step; undefined if there is nothing to do now. */
  next: (records: readonly RecordedIndex[]) => Promise<(() => Promise<void>) | undefined>
  isMaking: () => boolean
}>

/** Maximum number of builds of an index. If the last one does not finish either, the index counts as failed. */
const mostAttempts = 3
/**
 * Milliseconds after which the record of a failed or only recommended index is deleted. After that, the index can be
 * tried again.
 */
const forgottenMs = 86_400_000
/** Minimum milliseconds between two updates of a recommendation. */
const advisedMs = 600_000
/** Maximum number of recommended indexes to record. */
const mostAdvised = 50

type Why = 'unused' | 'superseded' | 'forbidden' | 'definitions'

export function createIndexSteps(options: StepOptions): IndexSteps {
  const { db, log, registry, mode, budget, unusedMs, refusal, weigher, now, signal } = options
  let making = false
  const summaryOf = (record: RecordedIndex) => ({
    collection: record.collection,
    fields: record.fields,
    serves: record.serves,
    choice: record.choice ?? undefined,
  })
  const forget = async ({ _id }: RecordedIndex): Promise<void> => {
    await recordedIndexes(db).deleteOne({ _id })
  }
  const drop = async (record: RecordedIndex, why: Why): Promise<void> => {
    const { _id, collection, name, choice } = record
    // Change the record before dropping the index: if the process ends in between, the next start drops the index.
    if (choice === null) await forget(record)
    else
      await recordedIndexes(db).updateOne(
        { _id },
        {
          $set: { state: 'advised' },
          $unset: { madeAt: '', usedAt: '', lookedAt: '', idleMs: '' },
        },
      )
    await dropIndex(db, collection, name)
    log.info(
      { event: 'index-dropped', ...summaryOf(record), why },
      `An automatic index is dropped: ${reasons[why]}`,
    )
  }
  const fail = async (record: RecordedIndex, failure: string): Promise<void> => {
    await recordedIndexes(db).updateOne(
      { _id: record._id },
      { $set: { state: 'failed', failure, failedAt: new Date(now()) } },
    )
    log.warn(
      { event: 'index-failed', ...summaryOf(record), failure },
      'An automatic index could not be created',
    )
  }
  const make = async (record: RecordedIndex): Promise<void> => {
    const { _id, collection, name, attempts } = record
    const all = recordedIndexes(db)
    await all.updateOne(
      { _id },
      {
        $set: { state: 'building', attempts: attempts + 1 },
        $unset: { failure: '', failedAt: '' },
      },
    )
    const start = performance.now()
    making = true
    try {
      await createIndexes(db, collection, [indexOf(record)])
    } catch (error) {
      if (signal.aborted || databaseError(error, 0) !== undefined) throw error
      return await fail(record, error instanceof Error ? error.message : String(error))
    } finally {
      making = false
    }
    const buildMs = Math.round(performance.now() - start)
    // Use the estimated size if it is larger: until the next checkpoint, the database reports too small a size.
    const { [name]: size = 0 } = await indexSizes(db, collection)
    const bytes = Math.max(size, record.bytes ?? 0)
    const at = new Date(now())
    await all.updateOne(
      { _id },
      {
        $set: {
          state: 'made',
          madeAt: at,
          usedAt: at,
          lookedAt: at,
          idleMs: 0,
          attempts: 0,
          buildMs,
          bytes,
        },
      },
    )
    const { reads, savedMs } = record
    log.info(
      { event: 'index-made', ...summaryOf(record), reads, savedMs, milliseconds: buildMs, bytes },
      'An automatic index was created for frequent queries',
    )
  }
  const roomFor = async (
    { collection, bytes }: Pick<RecordedIndex, 'collection' | 'bytes'>,
    records: readonly RecordedIndex[],
  ): Promise<string | undefined> => {
    const existing = (await listIndexes(db, collection)).length
    return budgetShortage(budget, { collection, existing, records, size: bytes ?? 0 })
  }

  /** Returns a step that drops an index that is no longer needed or allowed. */
  const nextDrop = async (
    records: readonly RecordedIndex[],
  ): Promise<(() => Promise<void>) | undefined> => {
    const { version } = registry()
    for (const record of records) {
      const { state, choice, idleMs = 0 } = record
      const isThere = state !== 'advised'
      // If this process has older definitions than the record's, it cannot tell whether the index is still needed.
      if (record.version <= version) {
        const type = typeOf(registry(), record.collection)
        if (type === undefined || !fitsType(record, type, registry()))
          return () => (isThere ? drop({ ...record, choice: null }, 'definitions') : forget(record))
        if (isDefined(record, type)) return () => forget(record)
      }
      if (choice === 'forbidden' && isThere) return () => drop(record, 'forbidden')
      if (mode !== 'on' || choice !== null) continue
      if (state === 'made' && idleMs >= unusedMs) return () => drop(record, 'unused')
      if (state === 'made' && extendedBy(record, records) && (await weigher.isSuperseded(record)))
        return () => drop(record, 'superseded')
    }
    return undefined
  }
  /**
   * Returns a step that builds an index that admins have pinned, whose build was interrupted, or that has disappeared.
   */
  const nextKept = async (
    records: readonly RecordedIndex[],
  ): Promise<(() => Promise<void>) | undefined> => {
    const isLost = await lostAmong(db, records)
    for (const record of records) {
      const { state, choice, attempts } = record
      const isMine = choice === 'pinned' || (mode === 'on' && choice === null)
      if (!isMine || refusal?.() !== undefined) continue
      const others = records.filter((other) => other !== record)
      const isBegun = state === 'building' || isLost(record)
      if (!isBegun && !(choice === 'pinned' && state === 'advised')) continue
      if (attempts >= mostAttempts) return () => fail(record, 'It was started too often')
      const lack = await roomFor(record, others)
      if (lack === undefined) return () => make(record)
      if (isBegun && choice === null) return () => forget(record)
      if (record.failure !== lack) return () => reportFailure(record, lack)
    }
    return undefined
  }
  const reportFailure = async ({ _id }: RecordedIndex, failure: string): Promise<void> => {
    await recordedIndexes(db).updateOne({ _id }, { $set: { state: 'advised', failure } })
  }
  /** Returns a step that builds or recommends an index that the observed queries justify. */
  const nextNew = async (
    records: readonly RecordedIndex[],
  ): Promise<(() => Promise<void>) | undefined> => {
    const found = await weigher.weigh(registry(), records)
    const advised = records.filter(({ state }) => state === 'advised').length
    for (const weighed of found) {
      const record = recordOf(weighed, { version: registry().version, now: now() })
      const known = records.find(({ _id }) => _id === record._id)
      const lack = await roomFor(record, records)
      if (mode === 'on' && lack === undefined && refusal?.() === undefined)
        return async () => {
          await recordAdvice(db, record)
          await make({ ...record, state: 'advised', choice: null, attempts: 0 })
        }
      if (known === undefined && advised >= mostAdvised) continue
      if (known !== undefined && now() - known.advisedAt.getTime() < advisedMs) continue
      return async () => {
        await recordAdvice(db, record, lack)
        if (known !== undefined) return
        const { collection, fields, serves, reads, savedMs } = record
        log.info(
          { event: 'index-advised', collection, fields, serves, reads, savedMs, lack },
          'An index would speed up frequent queries',
        )
      }
    }
    return undefined
  }
  /** Returns a step that deletes the old record of an index that failed or was only recommended. */
  const nextForgotten = (records: readonly RecordedIndex[]): (() => Promise<void>) | undefined => {
    const old = records.find(({ state, choice, advisedAt, failedAt }) => {
      if (choice !== null || (state !== 'advised' && state !== 'failed')) return false
      return now() - (failedAt ?? advisedAt).getTime() > forgottenMs
    })
    return old === undefined ? undefined : () => forget(old)
  }

  return {
    isMaking: () => making,
    next: async (records) =>
      nextForgotten(records) ??
      (await nextDrop(records)) ??
      (await nextKept(records)) ??
      (await nextNew(records)),
  }
}

const reasons: Readonly<Record<Why, string>> = {
  unused: 'it was not used for a long time',
  superseded: 'another index serves its queries',
  forbidden: 'an admin forbade it',
  definitions: 'its attributes are no longer in the definitions',
}

const typeOf = ({ contentTypes }: Registry, collection: string): ContentType | undefined =>
  [...contentTypes.values()].find((type) => collectionsOf(type).includes(collection))

/** Whether a definition now declares the same index, which then is no longer automatic. */
const isDefined = ({ collection, name }: RecordedIndex, type: ContentType): boolean =>
  indexList(type).some(
    (list) => list.collection === collection && list.indexes.some((index) => index.name === name),
  )

/** Whether another automatic index of the collection begins with the same fields and has more. */
function extendedBy(record: RecordedIndex, records: readonly RecordedIndex[]): boolean {
  const fields = record.fields.filter((field) => field !== '_id')
  return records.some(
    (other) =>
      other._id !== record._id &&
      other.state === 'made' &&
      other.collection === record.collection &&
      other.fields.length > record.fields.length &&
      fields.every((field, at) => other.fields[at] === field),
  )
}

/**
 * Returns a function that returns whether a built index has disappeared: an older version of Quire drops indexes that
 * it does not know.
 */
async function lostAmong(
  db: Db,
  records: readonly RecordedIndex[],
): Promise<(record: RecordedIndex) => boolean> {
  const made = records.filter((record) => record.state === 'made' && isWanted(record))
  const there = new Map<string, ReadonlySet<string | undefined>>()
  for (const { collection } of made)
    if (!there.has(collection))
      there.set(collection, new Set((await listIndexes(db, collection)).map(({ name }) => name)))
  return (record) =>
    made.includes(record) && there.get(record.collection)?.has(record.name) === false
}
