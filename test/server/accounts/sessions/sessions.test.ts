import { expect } from 'chai'
import { MongoClient, type Db } from 'mongodb'
import type { Account } from '../../../../server/accounts/users/user-accounts.js'
import {
  createSessions,
  prepareSessions,
} from '../../../../server/accounts/users/sessions/sessions.js'
import { testDatabaseUri } from '../../../support/database.js'

const secret = 'a secret of the tests, long enough'
const start = Date.UTC(2030, 0, 1)

describe('sessions', () => {
  let client: MongoClient
  let db: Db
  let now = start
  let users: Map<number, Account>
  before(async () => {
    client = await MongoClient.connect(await testDatabaseUri())
    db = client.db()
    await prepareSessions(db)
  })
  after(() => client.close())
  beforeEach(async () => {
    now = start
    users = new Map([[7, user('hash')]])
    await db.collection('_sessions').deleteMany({})
  })

  const user = (password: string | null) => ({ id: 7, password }) as Account
  const open = (secrets: readonly [string, ...string[]] = [secret]) =>
    createSessions({
      ...{ db, secrets, now: () => now },
      life: { idleS: 100, maxS: 250 },
      findUser: (id) => Promise.resolve(users.get(id)),
    })
  const refresh = async (sessions: ReturnType<typeof open>, text: string) => {
    const refreshed = await sessions.refresh(text)
    return typeof refreshed === 'string' ? refreshed : refreshed.refreshToken
  }

  it('exchange a refresh token for the next one', async () => {
    const sessions = open()
    const { refreshToken, sessionId } = await sessions.open(user('hash'), 'phone')
    const first = await sessions.refresh(refreshToken)
    expect(first).to.include({ sessionId, user: 7 })
    const second = await refresh(sessions, (first as { refreshToken: string }).refreshToken)
    expect(new Set([refreshToken, second]).size).to.equal(2)
    expect(await sessions.isActive(sessionId)).to.equal(true)
  })

  it('return the same next token to concurrent refreshes with one token, in any instance', async () => {
    const [one, other] = [open(), open()]
    const { refreshToken } = await one.open(user('hash'), 'phone')
    const tokens = await Promise.all(
      [one, other, one, other].map((sessions) => refresh(sessions, refreshToken)),
    )
    expect(new Set(tokens).size).to.equal(1)
    now += 9_000
    expect(await refresh(other, refreshToken)).to.equal(tokens[0])
  })

  it('end when an exchanged token is used again later', async () => {
    const sessions = open()
    const { refreshToken, sessionId } = await sessions.open(user('hash'), 'phone')
    const next = await refresh(sessions, refreshToken)
    now += 11_000
    expect(await refresh(sessions, refreshToken)).to.equal('reused')
    expect(await refresh(sessions, next)).to.equal('invalid')
    expect(await sessions.isActive(sessionId)).to.equal(false)
  })

  it('end when they are not refreshed in time, and at their maximum age in any case', async () => {
    const sessions = open()
    const idle = await sessions.open(user('hash'), 'phone')
    now += 100_001
    expect(await refresh(sessions, idle.refreshToken)).to.equal('invalid')
    let { refreshToken } = await sessions.open(user('hash'), 'phone')
    for (let round = 0; round < 3; round += 1) {
      now += 80_000
      refreshToken = await refresh(sessions, refreshToken)
    }
    now += 10_001
    expect(await refresh(sessions, refreshToken)).to.equal('invalid')
  })

  it('end when the password changes or the user is deleted', async () => {
    const sessions = open()
    for (const change of [() => users.set(7, user('another')), () => users.delete(7)]) {
      users.set(7, user('hash'))
      const { refreshToken } = await sessions.open(user('hash'), 'phone')
      change()
      expect(await refresh(sessions, refreshToken)).to.equal('invalid')
      users.set(7, user('hash'))
      expect(await refresh(sessions, refreshToken)).to.equal('invalid')
    }
  })

  it('can be ended singly, by device or all at once, but only for their own user', async () => {
    const sessions = open()
    const opened = await Promise.all(
      ['phone', 'phone', 'desk', 'desk'].map((device) => sessions.open(user('hash'), device)),
    )
    const active = () => Promise.all(opened.map(({ sessionId }) => sessions.isActive(sessionId)))
    expect(await active()).to.deep.equal([true, true, true, true])
    await sessions.end(7, { _id: opened[0]?.sessionId ?? '' })
    expect(await active()).to.deep.equal([false, true, true, true])
    await sessions.end(8, { _id: opened[1]?.sessionId ?? '' })
    await sessions.end(8)
    await sessions.end(7, { deviceId: 'phone' })
    expect(await active()).to.deep.equal([false, false, true, true])
    await sessions.end(7)
    expect(await active()).to.deep.equal([false, false, false, false])
  })

  it('reject a token that was not signed with the current or a previous secret', async () => {
    const { refreshToken } = await open().open(user('hash'), 'phone')
    const [sessionId = '', generation = '', mac = ''] = refreshToken.split('.')
    const sessions = open(['another secret of the tests, long enough'])
    for (const text of [
      refreshToken,
      ...['', '.', `${sessionId}.${generation}`, `${sessionId}.1.${mac}`, `${refreshToken}x`],
      `${'a'.repeat(24)}.${generation}.${mac}`,
    ])
      expect(await refresh(sessions, text), text).to.equal('invalid')
    const follows = open(['another secret of the tests, long enough', secret])
    expect(await refresh(follows, refreshToken)).to.match(/^[\w-]{24}\.1\./)
  })

  it('store no usable token in the database, and are deleted by a TTL index', async () => {
    const { refreshToken, sessionId } = await open().open(user('hash'), 'phone')
    const stored = JSON.stringify(await db.collection('_sessions').find().toArray())
    expect(stored).to.include(sessionId).and.not.include('hash"')
    expect(stored).not.to.include(refreshToken.split('.')[2])
    const indexes = await db.collection('_sessions').indexes()
    expect(indexes.find(({ key }) => 'expiresAt' in key)).to.include({ expireAfterSeconds: 0 })
  })
})
