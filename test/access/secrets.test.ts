import { expect } from 'chai'
import type { MongoClient } from 'mongodb'
import { readSecrets } from '../../server/auth/secrets.js'
import { connectDatabase } from '../../server/database/connect.js'
import { testDatabaseUri } from '../support/database.js'

describe('secrets', () => {
  let client: MongoClient
  before(async () => {
    client = await connectDatabase(await testDatabaseUri(), { appName: 'test' })
  })
  after(() => client.close())

  it('are generated once for all processes of a database, also when these start at once', async () => {
    const all = await Promise.all(Array.from({ length: 8 }, () => readSecrets(client.db(), {})))
    const again = await readSecrets(client.db(), {})
    expect(all).to.deep.equal(all.map(() => again))
    expect(again.jwt).to.have.lengthOf(43)
    expect(again.jwt).not.to.equal(again.apiTokenSalt)
  })

  it('are those of the configuration where it names them', async () => {
    const kept = await readSecrets(client.db(), {})
    expect(await readSecrets(client.db(), { jwt: 'given' })).to.deep.equal({
      ...kept,
      jwt: 'given',
    })
    const both = { jwt: 'one', apiTokenSalt: 'two' }
    expect(await readSecrets(client.db(), both)).to.deep.equal(both)
  })
})
