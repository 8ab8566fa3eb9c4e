import type { Db, ObjectId } from 'mongodb'

/**
 * A record of an unfinished write. `_id` is the file's id in GridFS, `at` the last heartbeat by the database's clock.
 * `over` means that any process may remove the data.
 */
type Begun = Readonly<{ _id: ObjectId; at: Date; over?: true }>

/** Opens the records of unfinished writes, a third collection besides GridFS's files and chunks. */
export function openBegunFiles(db: Db, bucketName: string) {
  const files = db.collection<{ _id: ObjectId }>(`${bucketName}.files`)
  const chunks = db.collection<{ _id: ObjectId; files_id: ObjectId; n: number }>(
    `${bucketName}.chunks`,
  )
  const begun = db.collection<Begun>(`${bucketName}.begun`)

  const cleanUp = async (_id: ObjectId) => {
    // Delete the file first: chunks without a file do no harm, but a file without chunks does.
    await files.deleteOne({ _id })
    await chunks.deleteMany({ files_id: _id })
  }

  const heardOf = [{ $set: { at: '$$NOW' } }]

  return {
    /** Records a write. Call this before the first chunk is written. */
    begin: (_id: ObjectId) => begun.updateOne({ _id }, heardOf, { upsert: true }),

    /**
     * Records a heartbeat. Call this also before the file is created. Returns false if the upload counts as abandoned.
     */
    confirm: async (_id: ObjectId): Promise<boolean> => {
      const { matchedCount } = await begun.updateOne({ _id, over: { $ne: true } }, heardOf)
      return matchedCount === 1
    },

    /** Deletes the record of a write. Call this when the file exists. */
    end: (_id: ObjectId) => begun.deleteOne({ _id }),

    /**
     * Removes a file and its chunks. If it is interrupted, `removeAbandoned` removes the rest.
     * @param isSettled false if a write may still arrive at the database; then the record stays for `removeAbandoned`
     */
    remove: async (_id: ObjectId, isSettled = true): Promise<void> => {
      const marked = [{ $set: { at: '$$NOW', over: true } }]
      await begun.updateOne({ _id }, marked, { upsert: true })
      await cleanUp(_id)
      if (isSettled) await begun.deleteOne({ _id })
    },

    /**
     * Removes, or only counts, unfinished writes that have had no heartbeat for `olderThanMs`. Returns their number.
     */
    removeAbandoned: async (olderThanMs: number, removes: boolean): Promise<number> => {
      const isOld = { $expr: { $lte: ['$at', { $subtract: ['$$NOW', olderThanMs] }] } }
      let count = 0
      for await (const { _id, at, over } of begun.find(isOld)) {
        if (over !== true) {
          // The process was killed before `end`, but the file is complete.
          if ((await files.findOne({ _id }, { projection: { _id: 1 } })) !== null) {
            if (removes) await begun.deleteOne({ _id, at })
            continue
          }
          if (removes) {
            // From now on, heartbeats of the writer fail.
            const { matchedCount } = await begun.updateOne({ _id, at }, { $set: { over: true } })
            if (matchedCount === 0) continue
          }
        }
        count += 1
        if (!removes) continue
        await cleanUp(_id)
        await begun.deleteOne({ _id })
      }
      return count
    },
  }
}
