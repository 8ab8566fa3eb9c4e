import { expect } from 'chai'
import { startApp } from '../support/start-app.js'
import type { TestApp } from '../support/test-app.js'

describe('MongoDB operator in a request', () => {
  let app: TestApp
  before(async () => {
    app = await startApp()
    const person = { username: 'ana', email: 'ana@example.org', password: 'Passw0rd!' }
    await app.request('POST', '/api/auth/local/register', { body: person })
    const body = { data: { name: 'Ana' } }
    await app.request('POST', '/api/authors', { token: app.token, body })
  })
  after(() => app.stop())

  const operators = [{ $gt: '' }, { $ne: null }, { $regex: '.*' }, { $where: '1' }, ['ana'], true]

  for (const value of operators) {
    it(`is refused by every login endpoint: ${JSON.stringify(value)}`, async () => {
      for (const [path, body] of [
        ['/api/auth/local', { identifier: 'ana', password: value }],
        ['/api/auth/local', { identifier: value, password: value }],
        ['/api/auth/forgot-password', { email: value }],
        [
          '/api/auth/reset-password',
          { code: value, password: 'N3wpass!', passwordConfirmation: 'N3wpass!' },
        ],
        ['/api/auth/send-email-confirmation', { email: value }],
        ['/admin/login', { email: 'admin@example.org', password: value }],
        ['/admin/login', { email: value, password: value }],
        ['/admin/forgot-password', { email: value }],
        ['/admin/reset-password', { resetPasswordToken: value, password: 'Passw0rd-1' }],
        ['/admin/register', { registrationToken: value, userInfo: { password: 'Passw0rd-1' } }],
      ] as const) {
        const answer = await app.request('POST', path, { body })
        expect(answer.status, `${path} ${JSON.stringify(body)}`).to.equal(400)
      }
    })

    it(`is refused as the value of an attribute: ${JSON.stringify(value)}`, async () => {
      const body = { data: { name: value } }
      const { token } = app
      expect((await app.request('POST', '/api/authors', { token, body })).status).to.equal(400)
    })
  }

  for (const search of [
    'filters[$where]=1',
    'filters[$where]=function(){while(true){}}',
    'filters[name][$where]=1',
    'filters[name][$regex]=.*',
    'filters[name][$function][body]=1',
    'filters[$expr][$eq][0]=1',
    'filters[name][$gt][$ne]=1',
    'filters[$text][$search]=a',
    'filters[name][$eq][$gt]=',
    'filters[name.$gt]=',
    'filters[$or][0][$where]=1',
    'sort=$where',
    'sort[$natural]=1',
    'sort=name.$gt',
    'fields=$name',
    'fields[$slice]=1',
    'populate[$lookup][from]=admin_users',
    'populate[articles][filters][$where]=1',
    'pagination[page][$gt]=0',
    'pagination[pageSize]=$gt',
    'locale[$ne]=en',
    'status[$ne]=published',
  ]) {
    it(`is refused in ${search}`, async () => {
      const { status, body } = await app.request('GET', `/api/authors?${search}`, {
        token: app.token,
      })
      expect(status).to.equal(400)
      expect(body).to.have.nested.property('error.details')
    })
  }

  it('is plain text in a text value', async () => {
    const search = 'filters[name][$eq]=%7B%22%24gt%22%3A%22%22%7D'
    const { body } = await app.request('GET', `/api/authors?${search}`, { token: app.token })
    expect(body).to.have.nested.property('meta.pagination.total', 0)
    const text = { data: { name: '$name', bio: '{"$gt":""}' } }
    const made = await app.request('POST', '/api/authors', { token: app.token, body: text })
    expect(made.body).to.have.property('data').that.includes(text.data)
  })

  it('matches no document in a path', async () => {
    for (const id of ['[$ne]=1', '{"$ne":null}', '%7B%22%24gt%22%3A%22%22%7D', '$where']) {
      const path = `/api/authors/${encodeURI(id)}`
      expect((await app.request('GET', path, { token: app.token })).status, id).to.equal(404)
      expect(
        (await app.request('GET', `/api/users/${encodeURI(id)}`, { token: app.token })).status,
        id,
      ).to.equal(404)
    }
  })
})
