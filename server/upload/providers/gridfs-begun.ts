import type { Db, ObjectId } from 'mongodb'

/**
 * An in-flight put or removal. `_id` is the file's id in GridFS. `at` is the last heartbeat, by the database's clock.
 * `over`: only the cleanup remains, and any process may do it.
 */
type Begun = Readonly<{ _id: ObjectId; at: Date; over?: true }>

/** Opens the records of in-flight writes to the bucket, a third collection next to its files and chunks. */
export function openBegunFiles(db: Db, bucketName: string) {
  const files = db.collection<{ _id: ObjectId }>(`${bucketName}.files`)
  const chunks = db.collection<{ _id: ObjectId; files_id: ObjectId; n: number }>(
    `${bucketName}.chunks`,
  )
  const begun = db.collection<Begun>(`${bucketName}.begun`)

  const cleanUp = async (_id: ObjectId) => {
    // Delete the file first, because chunks without a file are harmless, but a file without chunks is not.
    await files.deleteOne({ _id })
    await chunks.deleteMany({ files_id: _id })
  }

  const heardOf = [{ $set: { at: '$$NOW' } }]

  return {
    /** Call before the first chunk. */
    begin: (_id: ObjectId) => begun.updateOne({ _id }, heardOf, { upsert: true }),

    /**
     * Records a heartbeat while chunks are written, and before the file is created. Returns false if the upload was
     * declared abandoned.
     */
    confirm: async (_id: ObjectId): Promise<boolean> => {
      const { matchedCount } = await begun.updateOne({ _id, over: { $ne: true } }, heardOf)
      return matchedCount === 1
    },

    /** Call after the file exists. */
    end: (_id: ObjectId) => begun.deleteOne({ _id }),

    /**
     * Removes a file, or its chunks. If the removal is interrupted, `removeAbandoned` finishes it. If `isSettled` is
     * false, a write may still arrive at the database, so the record stays for `removeAbandoned`.
     */
    remove: async (_id: ObjectId, isSettled = true): Promise<void> => {
      const marked = [{ $set: { at: '$$NOW', over: true } }]
      await begun.updateOne({ _id }, marked, { upsert: true })
      await cleanUp(_id)
      if (isSettled) await begun.deleteOne({ _id })
    },

    /**
     * Removes in-flight writes without a heartbeat for `olderThanMs`, or only counts them. Returns the number of
     * writes.
     */
    removeAbandoned: async (olderThanMs: number, removes: boolean): Promise<number> => {
      const isOld = { $expr: { $lte: ['$at', { $subtract: ['$$NOW', olderThanMs] }] } }
      let count = 0
      for await (const { _id, at, over } of begun.find(isOld)) {
        if (over !== true) {
          // The file is complete; its process was killed before `end`.
          if ((await files.findOne({ _id }, { projection: { _id: 1 } })) !== null) {
            if (removes) await begun.deleteOne({ _id, at })
            continue
          }
          if (removes) {
            // From now on the writer's heartbeats fail.
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
