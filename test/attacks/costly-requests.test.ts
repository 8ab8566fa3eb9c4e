import { expect } from 'chai'
import { hashPassword } from '../../engine/write/rules/hash-password.js'
import { errorBody } from '../support/error-body.js'
import { startApp } from '../support/start-app.js'
import type { TestApp } from '../support/test-app.js'

describe('costly request', () => {
  let app: TestApp
  before(async () => {
    app = await startApp()
    for (const name of ['a'.repeat(200), `${'a'.repeat(199)}!`])
      await app.request('POST', '/api/authors', { token: app.token, body: { data: { name } } })
  })
  after(() => app.stop())

  // Executing one of these requests would take much longer than the test timeout.
  const get = (search: string) => app.request('GET', `/api/authors?${search}`, { token: app.token })

  it('has regular expressions in filters matched as plain text', async () => {
    for (const text of ['(a+)+$', '^(a|a)*$', '(.*a){20}', '(?=(a+))a*b\\1', '['])
      for (const operator of ['$contains', '$containsi', '$startsWithi', '$endsWith', '$eqi']) {
        const { status, body } = await get(`filters[name][${operator}]=${encodeURIComponent(text)}`)
        expect([status, body]).to.have.nested.property('[0]', 200)
        expect(body).to.have.nested.property('meta.pagination.total', 0)
      }
    expect((await get(`_q=${encodeURIComponent('(a+)+$')}`)).body).to.have.nested.property(
      'meta.pagination.total',
      0,
    )
  })

  for (const [what, search] of [
    ['a deep filter', `filters${'[$not]'.repeat(25)}[name]=a`],
    ['a very deep filter', `filters${'[$and][0]'.repeat(5000)}[name]=a`],
    ['a deep populate', `populate${'[articles][populate][author][populate]'.repeat(8)}=*`],
    ['a populate in a circle', `populate=${'articles.author.'.repeat(10)}articles`],
    [
      'a list that is too long',
      `filters[name][$in]=${'a,'.repeat(3000)}`.replace(/[a],/g, 'a&filters[name][$in]='),
    ],
    ['many parameters', Array.from({ length: 5000 }, (_, n) => `fields[${n}]=name`).join('&')],
    ['a value that is too long', `filters[name]=${'a'.repeat(5000)}`],
    ['an index that is too large', 'filters[$or][99999999][name]=a'],
    ['a page that is too far', 'pagination[page]=99999999999999999999'],
    ['an invalid time', 'filters[createdAt][$gt]=99999999999999999999'],
  ] as const) {
    it(`is refused with a message for ${what}`, async () => {
      const { status, body } = await get(search)
      expect(status).to.equal(400)
      expect(body).to.have.nested.property('error.message').that.is.a('string').and.not.empty
    })
  }

  it('is refused for a form with more than 1000 members, even without credentials', async () => {
    const send = async (members: number) => {
      const body = Array.from({ length: members }, (_, n) => `a[${members - n}]=1`).join('&')
      const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
      return (await app.request('POST', '/api/auth/local', { body, headers })).body
    }
    expect(await send(1000)).to.have.nested.property('error.message', '2 errors occurred')
    expect(await send(1001)).to.deep.equal(
      errorBody(
        400,
        'ValidationError',
        'The number of parameters of a form exceeds the limit of 1000 (parameters)',
        {},
      ),
    )
  })

  it('is limited to the largest page size', async () => {
    for (const search of ['pagination[pageSize]=999999999', 'pagination[limit]=999999999']) {
      const { status, body } = await get(search)
      expect(status).to.equal(200)
      expect(JSON.stringify(body)).to.match(/"(pageSize|limit)":100\b/)
    }
  })

  it('is refused with 431 for a long head, with 413 for a long body, and with 400 for deep JSON', async () => {
    const head = await app.request('GET', `/api/authors?filters[name]=${'a'.repeat(140_000)}`)
    expect(head.status).to.equal(431)
    const body = { data: { name: 'a', bio: 'a'.repeat(1_100_000) } }
    const large = await app.request('POST', '/api/authors', { token: app.token, body })
    expect(large.status).to.equal(413)
    expect(large.body).to.have.nested.property('error.name', 'PayloadTooLargeError')
    const deep = `{"data":${'['.repeat(200)}${']'.repeat(200)}}`
    const headers = { 'Content-Type': 'application/json' }
    const nested = await app.request('POST', '/api/authors', {
      token: app.token,
      headers,
      body: deep,
    })
    expect(nested.status).to.equal(400)
  })

  it('is refused for a password that is too long, which is not hashed', async () => {
    const [longest, long] = ['a'.repeat(72), 'a'.repeat(73)]
    const register = (username: string, password: string) =>
      app.request('POST', '/api/auth/local/register', {
        body: { username, email: `${username}@example.org`, password },
      })
    expect((await register('ana', longest)).status).to.equal(200)
    const refused = await register('ben', long)
    expect(refused.body).to.have.nested.property(
      'error.message',
      'Password must be less than 73 bytes',
    )
    const users = app.quire.services.db.collection('users')
    expect(await users.countDocuments()).to.equal(1)

    const logIn = (password: string) =>
      app.request('POST', '/api/auth/local', { body: { identifier: 'ana', password } })
    expect((await logIn(longest)).status).to.equal(200)
    for (const password of [long, 'a'.repeat(16_000)]) {
      // If the server hashed the sent password, it would match this hash.
      await users.updateOne({}, { $set: { password: await hashPassword(password) } })
      const { body } = await logIn(password)
      expect(body).to.deep.equal(
        errorBody(400, 'ValidationError', 'Invalid identifier or password', {}),
      )
    }
    expect((await logIn('a'.repeat(16_384))).status).to.equal(413)
  })
})
