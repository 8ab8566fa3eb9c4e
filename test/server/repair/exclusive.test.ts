import { expect } from 'chai'
import { MongoClient } from 'mongodb'
import { refuseExclusive } from '../../../server/repair/exclusive.js'
import { testDatabaseUri } from '../../support/database.js'
import { hastened } from '../../support/later.js'
import { eventually } from '../database/support.js'
import { startApp } from '../../support/start-app.js'
import type { TestApp } from '../../support/test-app.js'

const schema = {
  'content-types/note.json': {
    kind: 'collectionType',
    info: { singularName: 'note', pluralName: 'notes', displayName: 'Note' },
    attributes: { n: { type: 'integer' } },
  },
}

describe('service with exclusive access to its database', () => {
  let databaseUri: string
  let client: MongoClient
  let app: TestApp
  const start = (exclusive: boolean): Promise<TestApp> =>
    startApp({
      ...{ schema, databaseUri },
      settings: { 'database.exclusive': exclusive, 'metrics.enabled': true },
    })
  before(async () => {
    databaseUri = await testDatabaseUri()
    client = await MongoClient.connect(databaseUri)
  })
  beforeEach(async () => {
    app = await start(true)
  })
  afterEach(() => app.stop())
  after(async () => {
    await client.db().dropDatabase()
    await client.close()
  })

  /**
   * Returns the error message of a service that may not start. It fails after seven seconds, in which it waits for
   * other services to end.
   */
  const messageOf = (starting: Promise<TestApp>): Promise<string> =>
    hastened(8, starting, 500).then(
      async (started) => {
        await started.stop()
        return 'it started'
      },
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    )
  const instances = () => client.db().collection<{ _id: string }>('_instances')

  for (const exclusive of [true, false])
    it(`prevents a second service ${exclusive ? 'with exclusive access' : 'without exclusive access'} from starting`, async () => {
      const before = await instances().countDocuments()
      const message = await messageOf(start(exclusive))
      expect(message).to.match(/^The process \d+ on .* uses this database exclusively\./)
      expect(message).to.include('database.exclusive')
      expect(await instances().countDocuments()).to.equal(before)
    })

  it('is refused if another service runs', async () => {
    await app.stop()
    app = await start(false)
    expect(await messageOf(start(true))).to.match(/^The process \d+ on .* uses this database\./)
  })

  it('refuses commands until it stops, and allows other services afterwards', async () => {
    const refused: unknown = await refuseExclusive(client.db()).catch((error: unknown) => error)
    expect(refused).to.be.an('error')
    await app.stop()
    await refuseExclusive(client.db())
    app = await start(false)
  })

  it('caches no responses while a program without the check runs, and discards older ones', async () => {
    const { request, token } = app
    await request('POST', '/api/notes', { token, body: { data: { n: 1 } } })
    const read = async (): Promise<string> => (await request('GET', '/api/notes', { token })).text
    const hits = async (): Promise<number> => {
      const { text } = await request('GET', '/metrics')
      return Number(/^quire_answer_memory_hits_total (\d+)$/m.exec(text)?.[1])
    }
    /** Whether the second of two equal requests gets a cached response. */
    const isCached = async (): Promise<boolean> => {
      await read()
      const before = await hits()
      await read()
      return (await hits()) > before
    }
    expect(await isCached()).to.equal(true)
    const _id = 'of another version'
    const beat = [{ $set: { pid: 1, host: 'elsewhere', seenAt: '$$NOW' } }]
    await instances().updateOne({ _id }, beat, { upsert: true })
    await eventually(async () => !(await isCached()))
    await client
      .db()
      .collection('notes')
      .updateMany({}, { $set: { n: 2 } })
    await instances().deleteOne({ _id })
    await eventually(isCached)
    expect(await read()).to.include('"n":2')
  })
})
