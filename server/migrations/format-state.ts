import type { Db } from 'mongodb'
import type { Filling, FormatDocument } from '../../engine/database/storage-format.js'

const durable = { writeConcern: { w: 'majority', j: true } } as const
/** What was filled before is durable where this is: it stands in the same log, or has waited for its own. */
const behind = { writeConcern: { w: 'majority' } } as const

const formats = (db: Db) => db.collection<FormatDocument>('_settings')

/** What the database says of its format. */
export async function readFormat(db: Db): Promise<FormatDocument> {
  const format = await formats(db).findOne({ _id: 'format' })
  if (format === null) throw new Error('The database has lost its storage format')
  return format
}

/** Lets nobody start any more who does not know a format. False where somebody else was faster. */
export async function raiseFormat(db: Db, from: FormatDocument, version: number): Promise<boolean> {
  const { version: before, complete = before } = from
  const { matchedCount } = await formats(db).updateOne(
    { _id: 'format', version: before },
    { $set: { version, complete, filling: { round: 1, done: [] } } },
    durable,
  )
  return matchedCount > 0
}

/** Remembers how far a round has come. False where another round has begun. */
export async function saveFilling(db: Db, filling: Filling): Promise<boolean> {
  const { round } = filling
  const { matchedCount } = await formats(db).updateOne(
    { _id: 'format', 'filling.round': round },
    { $set: { filling } },
    behind,
  )
  return matchedCount > 0
}

/** Says that everything is carried over. False where another round has begun. */
export async function completeFormat(db: Db, complete: number, round: number): Promise<boolean> {
  const { matchedCount } = await formats(db).updateOne(
    { _id: 'format', version: { $gte: complete }, 'filling.round': round },
    { $set: { complete, filling: { round: round + 1, done: [] } } },
    durable,
  )
  return matchedCount > 0
}

/** Begins anew behind a format: somebody who knows no more may have written since. */
export async function reopenFormat(db: Db, known: number): Promise<void> {
  await formats(db).updateOne(
    { _id: 'format', version: { $gt: known } },
    [
      {
        $set: {
          complete: { $min: [{ $ifNull: ['$complete', '$version'] }, known] },
          filling: { round: { $add: [{ $ifNull: ['$filling.round', 0] }, 1] }, done: [] },
        },
      },
    ],
    durable,
  )
}
