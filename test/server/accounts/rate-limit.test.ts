import { expect } from 'chai'
import { errorBody } from '../../support/error-body.js'
import { testDatabaseUri } from '../../support/database.js'
import type { Answer } from '../../support/request.js'
import { startApp, type AppOptions } from '../../support/start-app.js'
import type { TestApp } from '../../support/test-app.js'
import { startHttp } from '../../support/start-http.js'

const tooMany = errorBody(429, 'RateLimitError', 'Too many requests, please try again later.', {})

describe('rate limit of the auth routes', () => {
  const running: TestApp[] = []
  const start = async (options: AppOptions): Promise<TestApp> => {
    const app = await startApp(options)
    running.push(app)
    return app
  }
  afterEach(async () => {
    for (const app of running.splice(0)) await app.stop()
  })

  const logIn = (app: TestApp, identifier: string, path = '/api/auth/local'): Promise<Answer> =>
    app.request('POST', path, { body: { identifier, password: 'Passw0rd!' } })

  it('returns 429 after the allowed attempts, whatever the spelling of path and identifier', async () => {
    const app = await start({ settings: { 'auth.rateLimit.max': 3 } })
    const paths = ['/api/auth/local', '/api/auth/local/', '/API/auth/local']
    for (const path of paths) expect((await logIn(app, 'nobody', path)).status).to.equal(400)
    const refused = await logIn(app, ' Nobody')
    expect(refused.body).to.deep.equal(tooMany)
    expect(Number(refused.headers.get('retry-after'))).to.be.within(1, 60)
    expect(refused.headers.get('x-ratelimit-limit')).to.equal('3')
    expect(refused.headers.get('x-ratelimit-remaining')).to.equal('0')
    expect((await logIn(app, 'somebody')).status).to.equal(400)
    const other = { email: 'nobody' }
    const forgotten = await app.request('POST', '/api/auth/forgot-password', { body: other })
    expect(forgotten.status).to.equal(400)
  })

  it('returns 429 to an IP address that tries many identifiers', async () => {
    const app = await start({ settings: { 'auth.rateLimit.max': 1 } })
    const statuses = []
    for (let at = 0; at < 11; at += 1) statuses.push((await logIn(app, `ana ${at}`)).status)
    expect(statuses).to.deep.equal([...Array<number>(10).fill(400), 429])
  })

  it('counts username and email address of an account together, without revealing that they belong together', async () => {
    const app = await start({ settings: { 'auth.rateLimit.max': 3 } })
    const user = { username: 'Ana Nym', email: 'ana@example.org', password: 'right password' }
    const registered = await app.request('POST', '/api/auth/local/register', { body: user })
    expect(registered.status).to.equal(200)
    const attempt = async (identifier: string, password = 'wrong password') => {
      const body = { identifier, password }
      const { status, text, headers } = await app.request('POST', '/api/auth/local', { body })
      return { status, text, remaining: headers.get('x-ratelimit-remaining') }
    }
    const attempts = async (...names: string[]) => {
      const all = []
      for (const name of names) all.push(await attempt(name))
      return all
    }
    const known = await attempts('ana@example.org', 'ANA@example.org', 'ana@EXAMPLE.org')
    expect(known).to.deep.equal(
      await attempts('bob@example.org', 'bob@example.org', 'bob@example.org'),
    )
    // The account's attempts are used up, by email address. Under its username, even the right password now gets the
    // same response as an unknown name.
    const right = await attempt('Ana Nym', 'right password')
    expect(right).to.deep.equal(await attempt('Bob Nym', 'right password'))
    expect(right).to.include({ status: 400, remaining: '2' })
    expect((await attempt('ana@example.org')).status).to.equal(429)
  })

  it('counts all spellings of an X-Forwarded-For address as one client', async () => {
    const app = await start({
      settings: { 'auth.rateLimit.max': 2, 'http.trustProxy': 'loopback' },
    })
    const statuses = async (addresses: readonly string[]): Promise<readonly number[]> => {
      const all: number[] = []
      for (const address of addresses) {
        const body = { identifier: 'nobody', password: 'Passw0rd!' }
        const headers = { 'X-Forwarded-For': address }
        all.push((await app.request('POST', '/api/auth/local', { body, headers })).status)
      }
      return all
    }
    for (const spellings of [
      ['203.0.113.7', '203.0.113.7:4711', '203.0.113.7:4712', '::ffff:203.0.113.7'],
      ['2001:db8::1', '[2001:db8::2]:443', '[2001:DB8:0:0::3]', '2001:db8::4%eth0'],
      ['garbage', 'more garbage', '127.0.0.1', 'unknown:1'],
    ])
      expect(await statuses(spellings), spellings[0]).to.deep.equal([400, 400, 429, 429])
    expect(await statuses(['203.0.113.8', '2001:db8:1::1'])).to.deep.equal([400, 400])
  })

  it('counts provider logins by IP address only', async () => {
    const app = await start({ settings: { 'auth.rateLimit.max': 1 } })
    for (const path of ['connect/google', 'connect/google/callback', 'auth/google/callback']) {
      const statuses = []
      for (let attempt = 0; attempt < 11; attempt += 1)
        statuses.push((await app.request('GET', `/api/${path}`)).status)
      expect(statuses, path).to.deep.equal([...Array<number>(10).fill(400), 429])
    }
  })

  it('counts admin logins', async () => {
    const app = await start({ settings: { 'auth.rateLimit.max': 1 } })
    const body = { email: 'admin@example.org', password: 'no' }
    const statuses = []
    for (let attempt = 0; attempt < 2; attempt += 1)
      statuses.push((await app.request('POST', '/admin/login', { body })).status)
    expect(statuses).to.deep.equal([400, 429])
  })

  it('is shared by all instances on one database, and ends after a minute', async () => {
    const settings = { 'auth.rateLimit.max': 2 }
    const databaseUri = await testDatabaseUri()
    const [one, other] = [
      await start({ settings, databaseUri }),
      await start({ settings, databaseUri }),
    ]
    const began = Date.now()
    const both = await Promise.all([logIn(one, 'ana'), logIn(other, 'ana')])
    expect(both.map(({ status }) => status)).to.deep.equal([400, 400])
    expect((await logIn(one, 'ana')).status).to.equal(429)
    expect((await logIn(other, 'ana')).status).to.equal(429)
    const [count] = await one.quire.services.db
      .collection<{ endsAt: Date }>('_rateLimits')
      .find({ count: 4 })
      .toArray()
    expect(Number(count?.endsAt) - 60_000).to.be.within(began, Date.now())
    // The count must restart after a minute, even if the database has not yet deleted the expired count.
    await one.quire.services.db
      .collection('_rateLimits')
      .updateMany({}, { $set: { endsAt: new Date(Date.now() - 1) } })
    expect((await logIn(other, 'ana')).status).to.equal(400)
  })
})

describe('rate limit of all requests', () => {
  it('is off by default, and counts every request of an IP address when it is set', async () => {
    const open = await startHttp()
    const limited = await startHttp({ settings: { 'http.rateLimit.max': 2 } })
    try {
      const statuses = async ({ send }: typeof open) => [
        (await send('GET', '/nothing')).status,
        (await send('POST', '/nothing')).status,
        (await send('GET', '/nothing')).status,
      ]
      expect(await statuses(open)).to.deep.equal([404, 404, 404])
      expect(await statuses(limited)).to.deep.equal([404, 404, 429])
      const refused = await limited.send('GET', '/', { headers: { Origin: 'https://a.example' } })
      expect(refused.body).to.deep.equal(tooMany)
      expect(refused.headers.get('access-control-allow-origin')).to.equal('*')
    } finally {
      await open.stop()
      await limited.stop()
    }
  })
})
