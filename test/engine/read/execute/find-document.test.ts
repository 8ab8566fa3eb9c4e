import { startBudget } from '../../../../engine/read/execute/budget.js'
import { expect } from 'chai'
import type { CommandStartedEvent, Db, Document } from 'mongodb'
import { BSON, MongoClient } from 'mongodb'
import type { Command } from '../../../../engine/read/compile/compile-command.js'
import { createReader } from '../../../../engine/read/execute/reader.js'
import { createTimeline } from '../../../../engine/timeline.js'
import { connectDatabase } from '../../../../server/database/connect.js'
import { testDatabaseUri } from '../../../support/database.js'

type Stored = Document & { _id: number }

const everyField = { _id: 1, documentId: 1, locale: 1, name: 1, text: 1 }

const byDocumentId = (
  documentId: string,
  locale?: string,
  projection: Document = everyField,
): Command => {
  const isIt = { documentId: { $eq: documentId } }
  const filter = locale === undefined ? isIt : { $and: [isIt, { locale: { $eq: locale } }] }
  return { find: { filter, limit: 1, projection }, document: { documentId, locale } }
}

describe('batched reads of single documents', () => {
  let client: MongoClient
  let db: Db
  const sent: Document[] = []
  let ends = 0
  before(async () => {
    client = new MongoClient(await testDatabaseUri(), { monitorCommands: true })
    db = client.db()
    await db.collection<Stored>('things').insertMany([
      { _id: 1, documentId: 'a', locale: 'en', name: 'one' },
      { _id: 2, documentId: 'a', locale: 'fr', name: 'un' },
      { _id: 3, documentId: 'b', locale: 'en', name: 'two' },
    ])
    const text = 'x'.repeat(7_000_000)
    const long = ['c', 'd', 'e', 'f'].map((documentId, n) => ({ _id: n + 10, documentId, text }))
    await db.collection<Stored>('long').insertMany(long)
    client.on('commandStarted', ({ commandName, command }: CommandStartedEvent) => {
      if (commandName === 'find') sent.push(command)
      if (commandName === 'killCursors') ends += 1
    })
  })
  after(async () => {
    await db.dropDatabase()
    await client.close()
  })
  beforeEach(() => {
    sent.length = 0
    ends = 0
  })

  const read = async (command: Command, collection = 'things'): Promise<Document[]> => {
    const found = await createReader(db, startBudget(20_000)).readStored(
      collection,
      command,
      'test',
    )
    return found.map((bytes) => BSON.deserialize(bytes))
  }
  const a = { _id: 1, documentId: 'a', locale: 'en', name: 'one' }
  const b = { _id: 3, documentId: 'b', locale: 'en', name: 'two' }

  it('send one command for several documents and return to each request its own', async () => {
    const reads = ['b', 'missing', 'a', 'b'].map((it) => read(byDocumentId(it, 'en')))
    expect(await Promise.all(reads)).to.deep.equal([[b], [], [a], [b]])
    expect(sent).to.have.length(1)
    expect(sent[0]?.['filter']).to.deep.equal({
      documentId: { $in: ['b', 'missing', 'a'] },
      locale: { $eq: 'en' },
    })
  })

  it('send a plain find if all requests want the same document', async () => {
    const reads = [read(byDocumentId('a', 'en')), read(byDocumentId('a', 'en'))]
    expect(await Promise.all(reads)).to.deep.equal([[a], [a]])
    expect(sent).to.have.length(1)
    expect(sent[0]).to.include({ limit: 1, singleBatch: true })
  })

  it('send separate commands if the locales or fields differ', async () => {
    const reads = [
      read(byDocumentId('a', 'en')),
      read(byDocumentId('a', 'fr')),
      read(byDocumentId('b', 'en', { documentId: 1 })),
      read(byDocumentId('b')),
    ]
    expect(await Promise.all(reads)).to.deep.equal([
      [a],
      [{ _id: 2, documentId: 'a', locale: 'fr', name: 'un' }],
      [{ _id: 3, documentId: 'b' }],
      [b],
    ])
    expect(sent).to.have.length(4)
  })

  it('send separate commands for requests that can be aborted', async () => {
    const { signal } = new AbortController()
    const reads = ['a', 'b'].map((it) =>
      createReader(db, startBudget(20_000), { signal }).readStored(
        'things',
        byDocumentId(it, 'en'),
        'test',
      ),
    )
    expect(await Promise.all(reads)).to.have.length(2)
    expect(sent).to.have.length(2)
  })

  it('return documents that are too long for one reply, and close the cursor', async () => {
    const reads = ['c', 'd', 'e', 'f'].map((it) => read(byDocumentId(it), 'long'))
    const found = await Promise.all(reads)
    expect(found.map(([it]) => it?.['documentId'] as string)).to.deep.equal(['c', 'd', 'e', 'f'])
    expect(found.map(([it]) => String(it?.['text']).length)).to.deep.equal([7e6, 7e6, 7e6, 7e6])
    // The cursor of the first command is killed.
    expect(ends).to.equal(1)
  })

  it('read up to a hundred documents per command and leave no cursor open', async () => {
    const ids = Array.from({ length: 150 }, (_, n) => `n${n}`)
    const many = ids.map((documentId, n) => ({ _id: 100 + n, documentId }))
    await db.collection<Stored>('many').insertMany(many)
    const found = await Promise.all(ids.map((it) => read(byDocumentId(it), 'many')))
    expect(found.map(([it]) => it?.['documentId'] as string)).to.deep.equal(ids)
    expect(sent).to.have.length(2)
    expect(ends).to.equal(0)
  })

  it('return the same version as a single read if a document has several', async () => {
    const reads = ['a', 'b'].map((it) => read(byDocumentId(it)))
    const [together] = await Promise.all(reads)
    expect(together).to.deep.equal(await read(byDocumentId('a')))
  })

  it('record one command in the timeline of each request', async () => {
    const observed = await connectDatabase(await testDatabaseUri(), { appName: 'test' })
    const database = observed.db(db.databaseName)
    const timelines = [createTimeline(), createTimeline()]
    const reads = timelines.map((timeline, n) =>
      createReader(database, startBudget(20_000), { timeline }).readStored(
        ...(['things', byDocumentId(n === 0 ? 'a' : 'b', 'en'), 'test'] as const),
      ),
    )
    await Promise.all(reads)
    const timeline = createTimeline()
    const reader = createReader(database, startBudget(20_000), { timeline })
    const ofOne = ['a', 'b'].map((it) =>
      reader.readStored('things', byDocumentId(it, 'en'), 'test'),
    )
    await Promise.all(ofOne)
    await observed.close()
    expect(timeline.commands).to.have.length(1)
    for (const { commands } of timelines) {
      expect(commands).to.have.length(1)
      expect(commands[0]).to.include({ kind: 'find', collection: 'things', failed: false })
    }
  })

  it('report each document to the meter of its own request', async () => {
    const added: number[] = []
    const meter = { batchSize: 10, add: (documents: number) => void added.push(documents) }
    await Promise.all(
      ['a', 'b', 'missing'].map((it) =>
        createReader(db, startBudget(20_000), { meter }).readStored(
          'things',
          byDocumentId(it, 'en'),
          'test',
        ),
      ),
    )
    expect(added).to.deep.equal([1, 1, 0])
  })

  it('use the longest time limit among the requests', async () => {
    const [short, long] = [
      createReader(db, startBudget(5_000)),
      createReader(db, startBudget(60_000)),
    ]
    await Promise.all([
      short.readStored('things', byDocumentId('a', 'en'), 'test'),
      long.readStored('things', byDocumentId('b', 'en'), 'test'),
    ])
    expect(sent[0]?.['maxTimeMS']).to.be.within(50_000, 60_000)
  })

  it('fail together, and succeed again afterwards', async () => {
    const wrong = { name: { $slice: 'no number' } }
    const reads = ['a', 'b'].map((it) => read(byDocumentId(it, 'en', wrong)).catch(() => 'failed'))
    expect(await Promise.all(reads)).to.deep.equal(['failed', 'failed'])
    const again = ['a', 'b'].map((it) => read(byDocumentId(it, 'en')))
    expect(await Promise.all(again)).to.deep.equal([[a], [b]])
  })
})
