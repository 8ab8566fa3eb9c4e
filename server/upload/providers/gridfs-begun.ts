import type { Db, ObjectId } from 'mongodb'

/**
 * A put or a removal that is under way: `_id` is GridFS's of the file, `at` when it was heard of last, by the database's
 * clock. One that is `over` is only to be cleaned up after, by whoever comes.
 */
type Begun = Readonly<{ _id: ObjectId; at: Date; over?: true }>

/** What is begun in the bucket is a collection beside its two, which holds nothing while nothing is under way. */
export function openBegunFiles(db: Db, bucketName: string) {
  const files = db.collection<{ _id: ObjectId }>(`${bucketName}.files`)
  const chunks = db.collection<{ _id: ObjectId; files_id: ObjectId; n: number }>(
    `${bucketName}.chunks`,
  )
  const begun = db.collection<Begun>(`${bucketName}.begun`)

  const cleanUp = async (_id: ObjectId) => {
    // The file goes first: chunks that no file names are harmless, a file without chunks is not.
    await files.deleteOne({ _id })
    await chunks.deleteMany({ files_id: _id })
  }

  const heardOf = [{ $set: { at: '$$NOW' } }]

  return {
    /** Before the first chunk. */
    begin: (_id: ObjectId) => begun.updateOne({ _id }, heardOf, { upsert: true }),

    /** While it is written, and before the file is made of its chunks. Answers false where somebody holds it for abandoned. */
    confirm: async (_id: ObjectId): Promise<boolean> => {
      const { matchedCount } = await begun.updateOne({ _id, over: { $ne: true } }, heardOf)
      return matchedCount === 1
    },

    /** After the file is there. */
    end: (_id: ObjectId) => begun.deleteOne({ _id }),

    /**
     * Removes a file, or what there is of it; what is cut off in it is finished by `removeAbandoned`. So is what
     * the database may still store of it, where `isSettled` is false: a write that it was not seen to answer.
     */
    remove: async (_id: ObjectId, isSettled = true): Promise<void> => {
      const marked = [{ $set: { at: '$$NOW', over: true } }]
      await begun.updateOne({ _id }, marked, { upsert: true })
      await cleanUp(_id)
      if (isSettled) await begun.deleteOne({ _id })
    },

    /** Of what is under way, removes that which was not heard of for so long, or counts it alone; answers how many there were. */
    removeAbandoned: async (olderThanMs: number, removes: boolean): Promise<number> => {
      const isOld = { $expr: { $lte: ['$at', { $subtract: ['$$NOW', olderThanMs] }] } }
      let count = 0
      for await (const { _id, at, over } of begun.find(isOld)) {
        if (over !== true) {
          // It is whole, and its process was killed before it could say so.
          if ((await files.findOne({ _id }, { projection: { _id: 1 } })) !== null) {
            if (removes) await begun.deleteOne({ _id, at })
            continue
          }
          if (removes) {
            // Whoever writes it after all is told.
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
