import { MongoServerError, type ClientSession, type Db } from 'mongodb'
import { hasSnapshots } from '../../engine/database/durability.js'
import type { Moment } from './manifest.js'

/** As of when an export reads. */
export type ChosenMoment = Readonly<{
  moment: Moment
  /** Options of every read: the session that it is part of. */
  reading: Readonly<{ session?: ClientSession }>
}>

/** Why there is no archive, in words for whoever asked for one. */
export class ExportRefused extends Error {
  override name = 'ExportRefused'
}

/**
 * Runs what reads as of one moment: nobody else has the database, or writes into it, or the server keeps what it was.
 * @param live each entry may be as it is when it is read
 * @throws ExportRefused where there is no such moment, or the server did not keep it for long enough
 */
export async function atOneMoment<T>(
  { db, alone }: Readonly<{ db: Db; alone: boolean }>,
  live: boolean,
  task: (chosen: ChosenMoment) => Promise<T>,
): Promise<T> {
  if (alone) return task({ moment: 'alone', reading: {} })
  if (live) return task({ moment: 'live', reading: {} })
  if (!(await hasSnapshots(db))) throw new ExportRefused(noSnapshots)
  const session = db.client.startSession({ snapshot: true })
  try {
    return await task({ moment: 'snapshot', reading: { session } })
  } catch (error) {
    if (error instanceof MongoServerError && tooOld.has(Number(error.code)))
      throw new ExportRefused(notKept, { cause: error })
    throw error
  } finally {
    await session.endSession()
  }
}

/** SnapshotTooOld, SnapshotUnavailable. */
const tooOld: ReadonlySet<number> = new Set([239, 246])

/** What to say where a MongoDB cannot show one moment. */
export const noSnapshots =
  'This MongoDB cannot show what was true at one moment: it is no replica set of MongoDB 5.0 or later. ' +
  'Export with --live (live=true), where each entry is as it was when it was read'

const notKept =
  'The database did not keep the moment of this export for as long as it took, or its collections were changed. ' +
  'Raise minSnapshotHistoryWindowInSeconds of the server (300 where nothing is set), or export with --live (live=true)'
