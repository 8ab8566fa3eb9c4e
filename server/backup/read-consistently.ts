import { MongoServerError, type ClientSession, type Db } from 'mongodb'
import { hasSnapshots } from '../../engine/database/durability.js'
import type { ReadConsistency } from './manifest.js'

/** The point in time at which an export reads the database. */
export type ChosenMoment = Readonly<{
  moment: ReadConsistency
  /** Options to pass to every read: the session of the snapshot, if there is one. */
  reading: Readonly<{ session?: ClientSession }>
}>

/** Thrown if no archive can be created. The message is for the user. */
export class ExportRefused extends Error {
  override name = 'ExportRefused'
}

/**
 * Runs reads at a single point in time, because nothing else writes to the database meanwhile or the server provides a
 * snapshot.
 * @param live if true, no snapshot is needed: each entry is read in its state at the time when it is read
 * @throws ExportRefused if the server has no snapshots, or did not keep the snapshot for long enough
 */
export async function readConsistently<T>(
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

/** MongoDB's error codes for SnapshotTooOld and SnapshotUnavailable. */
const tooOld: ReadonlySet<number> = new Set([239, 246])

/** Message for a MongoDB without snapshots. */
export const noSnapshots =
  'This database has no snapshots, because it is not a replica set of MongoDB 5.0 or later. ' +
  'Export with --live (live=true): each entry is then as it was when it was read'

const notKept =
  'The export took longer than the database keeps a snapshot, or its collections changed. ' +
  'Increase minSnapshotHistoryWindowInSeconds of the server (default: 300), or export with --live (live=true)'
