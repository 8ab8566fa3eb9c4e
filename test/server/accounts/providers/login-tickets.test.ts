import { expect } from 'chai'
import { MongoClient, type Db } from 'mongodb'
import {
  createLoginTickets,
  prepareLoginTickets,
} from '../../../../server/accounts/providers/login-tickets.js'
import { testDatabaseUri } from '../../../support/database.js'

describe('provider login tickets', () => {
  let client: MongoClient
  let db: Db
  before(async () => {
    client = new MongoClient(await testDatabaseUri())
    db = client.db()
    await prepareLoginTickets(db)
  })
  after(() => client.close())

  const profile = { email: 'ana@example.org', verified: true, username: 'ana' }
  let ms = Date.now()
  const later = (seconds: number): void => void (ms += seconds * 1000)
  const tickets = () => createLoginTickets(db, () => ms)

  it('expire after five minutes', async () => {
    const ticket = await tickets().issue('google', profile)
    const late = await tickets().issue('google', profile)
    later(299)
    expect(await tickets().redeem('google', ticket)).to.deep.equal(profile)
    later(2)
    expect(await tickets().redeem('google', late)).to.equal(undefined)
  })

  it('expire ten seconds after their first use, however often they are used', async () => {
    const ticket = await tickets().issue('google', profile)
    for (const seconds of [0, 6, 3]) {
      later(seconds)
      expect(await tickets().redeem('google', ticket)).to.deep.equal(profile)
    }
    later(2)
    expect(await tickets().redeem('google', ticket)).to.equal(undefined)
  })

  it('are valid for one provider, and stay valid after an attempt with another', async () => {
    const ticket = await tickets().issue('google', profile)
    expect(await tickets().redeem('github', ticket)).to.equal(undefined)
    later(60)
    expect(await tickets().redeem('google', ticket)).to.deep.equal(profile)
  })

  it('accept each login state only once', async () => {
    const both = await Promise.all([
      tickets().takeState('google', 'one'),
      tickets().takeState('google', 'one'),
    ])
    expect([...both].sort()).to.deep.equal([false, true])
    expect(await tickets().takeState('google', 'two')).to.equal(true)
  })

  it('are deleted by a TTL index', async () => {
    const indexes = await db.collection('_provider_logins').indexes()
    const ending = indexes.filter(({ expireAfterSeconds }) => expireAfterSeconds === 0)
    expect(ending.map(({ key }) => key)).to.deep.equal([{ expiresAt: 1 }])
  })
})
