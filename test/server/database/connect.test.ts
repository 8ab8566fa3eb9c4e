import { expect } from 'chai'
import { connectDatabase } from '../../../server/database/connect.js'
import { Cleanup } from './cleanup.js'

describe('connectDatabase', () => {
  const cleanup = new Cleanup()
  afterEach(() => cleanup.run())

  it('uses the database of the URI, or quire without one', async () => {
    const host = await cleanup.host(await cleanup.folder())
    const named = host.uri.replace('/?', '/site?')
    const clients = await Promise.all([host.uri, named].map((uri) => cleanup.client(uri)))
    expect(clients.map((client) => client.db().databaseName)).to.deep.equal(['quire', 'site'])
  })

  it('omits undefined fields and waits for the journal', async () => {
    const host = await cleanup.host(await cleanup.folder())
    const client = await cleanup.client(host.uri)
    await client
      .db()
      .collection('a')
      .insertOne({ _id: 1 as never, omitted: undefined })
    expect(await client.db().collection('a').findOne()).to.deep.equal({ _id: 1 })
    expect(client.options.writeConcern).to.include({ journal: true })
  })

  it('fails with one line that names the unreachable server, without the password', async () => {
    const uri = 'mongodb://ana:secret@127.0.0.1:1/site?serverSelectionTimeoutMS=100'
    const error = await connectDatabase(uri, { appName: 'test' }).catch((reason: unknown) => reason)
    expect((error as Error).message)
      .to.match(
        /^Cannot use the database at mongodb:\/\/\*\*\*@127\.0\.0\.1:1\/site: .*MONGODB_URI\.$/,
      )
      .and.not.include('secret')
  })
})
