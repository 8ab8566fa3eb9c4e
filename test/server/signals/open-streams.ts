import type { Document, MongoClient } from 'mongodb'

/** Returns the open change streams of a server, one for each instance that listens to this database. */
export async function openStreams(client: MongoClient, database: string): Promise<Document[]> {
  const running = await client
    .db('admin')
    .aggregate([
      { $currentOp: { allUsers: true, idleCursors: true, localOps: true } },
      // During a getMore, and between two of them.
      { $match: { ns: { $in: [`${database}.$cmd`, `${database}.$cmd.aggregate`] } } },
      { $match: { 'cursor.originatingCommand.pipeline.0.$changeStream': { $exists: true } } },
    ])
    .toArray()
  return running.map(({ cursor }) => cursor as Document)
}
