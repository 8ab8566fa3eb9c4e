import type { Document, MongoClient } from 'mongodb'

/** Returns the open change streams of a database. Each instance that uses the database has one. */
export async function openStreams(client: MongoClient, database: string): Promise<Document[]> {
  const running = await client
    .db('admin')
    .aggregate(
      [
        { $currentOp: { allUsers: true, idleCursors: true, localOps: true } },
        // The first namespace is that of a getMore, the second that of a stream between two of them.
        { $match: { ns: { $in: [`${database}.$cmd`, `${database}.$cmd.aggregate`] } } },
        { $match: { 'cursor.originatingCommand.pipeline.0.$changeStream': { $exists: true } } },
      ],
      // Keeps a cursor ID a Long. As a number, a small one would be sent to `killCursors` as a double.
      { promoteLongs: false },
    )
    .toArray()
  return running.map(({ cursor }) => cursor as Document)
}
