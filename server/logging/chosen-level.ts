import type { Db } from 'mongodb'
import type { LogLevel } from '../settings/settings.js'

/** The level that an admin chose for all instances: one document of `_settings`. */
export type ChosenLevel = Readonly<{
  level: LogLevel
  /** When the level expires, by the database's clock; null = never. */
  until: Date | null
  /** The admin, such as `admin 1`. `request` is the id of that admin's request. */
  by: string
  request: string
}>

type LevelDocument = ChosenLevel & Readonly<{ _id: typeof _id }>

const _id = 'log-level'

const documents = (db: Db) => db.collection<LevelDocument>('_settings')

/** Returns the chosen level in effect and its remaining milliseconds (Infinity = unlimited), or undefined. */
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
 * @param forMs duration in milliseconds; undefined = unlimited
 */
export async function writeChosenLevel(
  db: Db,
  { forMs, ...chosen }: Omit<ChosenLevel, 'until'> & Readonly<{ forMs?: number | undefined }>,
): Promise<void> {
  const until = forMs === undefined ? null : { $add: ['$$NOW', forMs] }
  // Only a pipeline can read the database's clock. Without `$literal`, it would treat a string with `$` as an
  // expression.
  const level = { $mergeObjects: [{ $literal: { _id, ...chosen } }, { until }] }
  await documents(db).updateOne({ _id }, [{ $replaceWith: level }], { upsert: true })
}

export async function removeChosenLevel(db: Db): Promise<void> {
  await documents(db).deleteOne({ _id })
}
