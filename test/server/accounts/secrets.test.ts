import { expect } from 'chai'
import type { MongoClient } from 'mongodb'
import { readSecrets } from '../../../server/accounts/secrets.js'
import { connectDatabase } from '../../../server/database/connect.js'
import { testDatabaseUri } from '../../support/database.js'

describe('stored secrets', () => {
  let client: MongoClient
  before(async () => {
    client = await connectDatabase(await testDatabaseUri(), { appName: 'test' })
  })
  after(() => client.close())

  it('are generated once per database, even if several processes start concurrently', async () => {
    const all = await Promise.all(Array.from({ length: 8 }, () => readSecrets(client.db(), {})))
    const again = await readSecrets(client.db(), {})
    expect(all).to.deep.equal(all.map(() => again))
    expect(again.jwt).to.have.lengthOf(1)
    expect(again.jwt[0]).to.have.lengthOf(43).and.not.equal(again.apiTokenSalt)
  })

  it('are overridden by the configuration', async () => {
    const stored = await readSecrets(client.db(), {})
    const given = { jwtSecret: 'given', formerJwtSecrets: ['former'] }
    expect(await readSecrets(client.db(), given)).to.deep.equal({
      ...stored,
      jwt: ['given', 'former'],
    })
    const all = { jwtSecret: 'one', apiTokenSalt: 'two', uploadSigningKey: 'three' }
    expect(await readSecrets(client.db(), all)).to.deep.equal({
      jwt: ['one'],
      apiTokenSalt: 'two',
      uploadSigningKey: 'three',
    })
  })

  it('are kept from an older version, and missing ones are added once', async () => {
    const older = client.db('older')
    await older
      .collection<{ _id: string; jwt: string; apiTokenSalt: string }>('_settings')
      .insertOne({ _id: 'secrets', jwt: 'kept', apiTokenSalt: 'kept too' })
    const all = await Promise.all(Array.from({ length: 4 }, () => readSecrets(older, {})))
    expect(all[0]).to.deep.include({ jwt: ['kept'], apiTokenSalt: 'kept too' })
    expect(all[0]?.uploadSigningKey).to.have.lengthOf(43)
    expect(all).to.deep.equal(all.map(() => all[0]))
  })
})
