import type { Db } from 'mongodb'
import type { Logger } from 'pino'
import { createIndexes, dropIndex } from '../../engine/database/ensure-indexes.js'
import type { RecordedIndex } from '../../engine/database/recorded-indexes.js'
import { indexOf, recordedIndexes } from '../../engine/database/recorded-indexes.js'
import { messageOf } from '../../engine/errors/message-of.js'
import { databaseError } from '../../engine/errors/database-errors.js'
import { dropReasons, type Decision } from './decide-index.js'

type Means = Readonly<{ db: Db; log: Logger; now: () => number; signal: AbortSignal }>

/** Carries out a decision: changes the record and the index, and logs the change. Building may take minutes. */
export async function carryOut(decision: Decision, means: Means): Promise<void> {
  const { db, log, now } = means
  const { act, record } = decision
  switch (act) {
    case 'make':
      return make(record, means)
    case 'update':
      return store(db, record)
    case 'advise': {
      const { reads, savedMs, failure: lack } = record
      await store(db, record)
      return log.info(
        { event: 'index-advised', ...summaryOf(record), reads, savedMs, lack },
        'An index would speed up frequent queries',
      )
    }
    case 'fail': {
      const failure = decision.why
      await store(db, { ...record, state: 'failed', failure, failedAt: new Date(now()) })
      return log.warn(
        { event: 'index-failed', ...summaryOf(record), failure },
        'An automatic index could not be created',
      )
    }
    case 'drop': {
      const { why } = decision
      // Change the record before dropping the index: if the process ends in between, the next start drops the index.
      if (why === 'forbidden')
        await store(db, { ...record, state: 'advised', madeAt: undefined, usedAt: undefined })
      else await forget(db, record)
      await dropIndex(db, record.collection, record.name)
      return log.info(
        { event: 'index-dropped', ...summaryOf(record), why },
        `An automatic index is dropped: ${dropReasons[why]}`,
      )
    }
    case 'forget':
      return forget(db, record)
  }
}

function summaryOf({ collection, fields, serves, choice }: RecordedIndex) {
  return { collection, fields, serves, choice: choice ?? undefined }
}

async function make(record: RecordedIndex, means: Means): Promise<void> {
  const { db, log, now, signal } = means
  const { collection, name, reads, savedMs } = record
  const attempts = record.attempts + 1
  const unfailed = { failure: undefined, failedAt: undefined }
  const building = { ...record, ...unfailed, state: 'building', attempts } as const
  await store(db, building)
  const start = performance.now()
  try {
    await createIndexes(db, collection, [indexOf(record)])
  } catch (error) {
    if (signal.aborted || databaseError(error, 0) !== undefined) throw error
    const why = messageOf(error)
    return carryOut({ act: 'fail', record: building, why }, means)
  }
  const buildMs = Math.round(performance.now() - start)
  // Use the estimated size if it is larger: until the next checkpoint, the database reports too small a size.
  const bytes = Math.max(await sizeOf(db, collection, name), record.bytes ?? 0)
  const at = new Date(now())
  const times = { madeAt: at, usedAt: at, lookedAt: at, idleMs: 0 }
  const made = { ...building, ...times, state: 'made', attempts: 0, buildMs, bytes } as const
  // Another instance may have forgotten the record during a long build.
  await store(db, made, { upsert: false })
  log.info(
    { event: 'index-made', ...summaryOf(record), reads, savedMs, milliseconds: buildMs, bytes },
    'An automatic index was created for frequent queries',
  )
}

async function forget(db: Db, { _id }: RecordedIndex): Promise<void> {
  await recordedIndexes(db).deleteOne({ _id })
}

/** Replaces the record of an index, or adds it. Keeps an admin's choice, which may have been made meanwhile. */
async function store(
  db: Db,
  record: RecordedIndex,
  options: Readonly<{ upsert: boolean }> = { upsert: true },
): Promise<void> {
  const kept = { $mergeObjects: [{ $literal: record }, { choice: '$choice' }] }
  await recordedIndexes(db).updateOne({ _id: record._id }, [{ $replaceWith: kept }], options)
}

async function sizeOf(db: Db, collection: string, name: string): Promise<number> {
  const sizes = { $project: { sizes: '$storageStats.indexSizes' } }
  const [found] = await db
    .collection(collection)
    .aggregate<{ sizes: Record<string, number> }>([{ $collStats: { storageStats: {} } }, sizes], {
      maxTimeMS: 5000,
    })
    .toArray()
  return found?.sizes[name] ?? 0
}
