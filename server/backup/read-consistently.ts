import { MongoServerError, type ClientSession, type Db } from 'mongodb'
import { hasSnapshots } from '../../engine/database/durability.js'
import type { ReadConsistency } from './manifest.js'

/** The point in time at which an export reads. */
export type ChosenMoment = Readonly<{
  moment: ReadConsistency
  /** Options for every read: the session of the snapshot, if any. */
  reading: Readonly<{ session?: ClientSession }>
}>

/** Thrown if no archive can be created. Its message is for the user. */
export class ExportRefused extends Error {
  override name = 'ExportRefused'
}

/**
 * Runs reads at a single point in time: nothing else writes, or the server provides a snapshot. Throws ExportRefused if
 * the server has no snapshots or did not keep one long enough.
 *
 * @param live if true, each entry is read at its own time, without a snapshot
 */
export async function readConsistently<T>(
  { db, singleProcess }: Readonly<{ db: Db; singleProcess: boolean }>,
  live: boolean,
  task: (chosen: ChosenMoment) => Promise<T>,
): Promise<T> {
  if (singleProcess) return task({ moment: 'alone', reading: {} })
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

/** Error codes SnapshotTooOld and SnapshotUnavailable. */
const tooOld: ReadonlySet<number> = new Set([239, 246])

export const noSnapshots =
  'This database has no snapshots, because it is not a replica set of MongoDB 5.0 or later. ' +
  'Export with --live (live=true): each entry is then as it was when it was read'

const notKept =
  'The export took longer than the database keeps a snapshot, or its collections changed. ' +
  'Increase minSnapshotHistoryWindowInSeconds of the server (default: 300), or export with --live (live=true)'
