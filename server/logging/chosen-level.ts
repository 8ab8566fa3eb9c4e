import type { Db } from 'mongodb'
import type { LogLevel } from '../settings/settings.js'

/** The log level that an admin chose for all instances, stored in one document of `_settings`. */
export type ChosenLevel = Readonly<{
  level: LogLevel
  /** When the choice expires, by the database's clock; null: never. */
  until: Date | null
  /** The admin who chose the level, such as `admin 1`. `request` is the id of that admin's request. */
  by: string
  request: string
}>

type LevelDocument = ChosenLevel & Readonly<{ _id: typeof _id }>

const _id = 'log-level'

const documents = (db: Db) => db.collection<LevelDocument>('_settings')

/**
 * Returns the chosen level and the milliseconds until it expires (Infinity if it does not). Returns undefined if no
 * level is chosen or the choice has expired.
 */
export async function readChosenLevel(
  db: Db,
): Promise<Readonly<{ chosen: ChosenLevel; leftMs: number }> | undefined> {
  const [found] = await documents(db)
    .aggregate<LevelDocument & { left: unknown }>(
      [{ $match: { _id } }, { $addFields: { left: { $subtract: ['$until', '$$NOW'] } } }],
      { maxTimeMS: 5000 },
    )
    .toArray()
  if (found === undefined) return undefined
  const { level, until, by, request, left } = found
  const leftMs = until === null ? Infinity : Number(left)
  return leftMs > 0 ? { chosen: { level, until, by, request }, leftMs } : undefined
}

/**
 * Stores the chosen level.
 * @param forMs milliseconds until the choice expires; undefined: never
 */
export async function writeChosenLevel(
  db: Db,
  { forMs, ...chosen }: Omit<ChosenLevel, 'until'> & Readonly<{ forMs?: number | undefined }>,
): Promise<void> {
  const until = forMs === undefined ? null : { $add: ['$$NOW', forMs] }
  // The database's clock can only be read in a pipeline. Without `$literal`, the pipeline would treat a string with `$`
  // as an expression.
  const level = { $mergeObjects: [{ $literal: { _id, ...chosen } }, { until }] }
  await documents(db).updateOne({ _id }, [{ $replaceWith: level }], { upsert: true })
}

export async function removeChosenLevel(db: Db): Promise<void> {
  await documents(db).deleteOne({ _id })
}
