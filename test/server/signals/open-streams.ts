import type { Document, MongoClient } from 'mongodb'

/** The change streams of a server that are open, by their cursors: as many as instances listen to this database. */
export async function openStreams(client: MongoClient, database: string): Promise<Document[]> {
  const running = await client
    .db('admin')
    .aggregate([
      { $currentOp: { allUsers: true, idleCursors: true, localOps: true } },
      // While it is asked for more, and between two such questions.
      { $match: { ns: { $in: [`${database}.$cmd`, `${database}.$cmd.aggregate`] } } },
      { $match: { 'cursor.originatingCommand.pipeline.0.$changeStream': { $exists: true } } },
    ])
    .toArray()
  return running.map(({ cursor }) => cursor as Document)
}
