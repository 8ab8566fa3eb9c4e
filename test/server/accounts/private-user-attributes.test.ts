import { expect } from 'chai'
import { collectLines } from '../../support/log-lines.js'
import { startApp } from '../../support/start-app.js'
import type { TestApp } from '../../support/test-app.js'

const schema = {
  'content-types/article.json': {
    kind: 'collectionType',
    collectionName: 'articles',
    info: { singularName: 'article', pluralName: 'articles', displayName: 'Article' },
    options: { draftAndPublish: false },
    attributes: {
      title: { type: 'string' },
      author: {
        type: 'relation',
        relation: 'manyToOne',
        target: 'plugin::users-permissions.user',
      },
    },
  },
  'extensions/users-permissions/content-types/user/schema.json': {
    kind: 'collectionType',
    collectionName: 'up_users',
    info: { name: 'user', singularName: 'user', pluralName: 'users', displayName: 'User' },
    options: { draftAndPublish: false, privateAttributes: ['provider'] },
    attributes: {
      username: { type: 'string', minLength: 3, unique: true, required: true, searchable: false },
      email: { type: 'email', minLength: 6, required: true, private: true, configurable: false },
      password: { type: 'password', minLength: 6, private: false, searchable: false },
      resetPasswordToken: { type: 'string', private: false },
      confirmationToken: { type: 'string', private: true },
      confirmed: { type: 'boolean', default: true },
      blocked: { type: 'boolean', default: false, private: true },
      role: {
        type: 'relation',
        relation: 'manyToOne',
        target: 'plugin::users-permissions.role',
        inversedBy: 'users',
        private: true,
      },
      motto: { type: 'string' },
    },
  },
}

const secrets = /ana@|"local"|provider|blocked|"role"|argon2|Token/

describe('user attributes that a project makes private', () => {
  const { log, lines } = collectLines()
  let app: TestApp
  let jwt: string
  let id: number
  before(async () => {
    app = await startApp({ schema, log })
    const user = 'plugin::users-permissions.user'
    const actions = ['find', 'findOne', 'count', 'create', 'update'].map(
      (name) => `${user}.${name}`,
    )
    const shown = ['article.find', 'article.findOne'].map((name) => `api::article.${name}`)
    await app.allow('public', [...shown, `${user}.find`])
    await app.allow('authenticated', [...actions, ...shown, `plugin::users-permissions.role.find`])
    const answer = await app.request('POST', '/api/auth/local/register', { body: ana })
    expect(answer.status).to.equal(200)
    expect(answer.text).not.to.match(secrets)
    ;({
      jwt,
      user: { id },
    } = answer.body as { jwt: string; user: { id: number } })
    const data = { title: 'Rain', author: id }
    await app.request('POST', '/api/articles', { token: app.token, body: { data } })
  })
  after(() => app.stop())

  const ana = { username: 'ana', email: 'ana@example.org', password: 'Passw0rd!' }
  const callers = () => [{}, { token: jwt }, { token: app.token }]

  it('are left out of the responses to login, to reads of users and to populated users', async () => {
    const login = await app.request('POST', '/api/auth/local', {
      body: { identifier: ana.email, password: ana.password },
    })
    expect(login.status).to.equal(200)
    expect(login.body).to.have.nested.property('user.username', 'ana')
    expect(login.text).not.to.match(secrets)
    for (const path of [
      '/api/users',
      '/api/users/me',
      `/api/users/${id}`,
      '/api/users?populate=*',
    ]) {
      const answer = await app.request('GET', path, { token: jwt })
      expect(answer.status, path).to.equal(200)
      expect(answer.text, path).to.include('"username":"ana"').and.not.to.match(secrets)
    }
    for (const caller of callers())
      for (const populate of ['author', '*', 'author.localizations']) {
        const answer = await app.request('GET', `/api/articles?populate=${populate}`, caller)
        expect(answer.text, populate).not.to.match(secrets)
      }
  })

  it('are left out of the responses to writes of users', async () => {
    const body = { ...ana, username: 'bea', email: 'ana@bea.example.org', role: 1 }
    const made = await app.request('POST', '/api/users', { token: app.token, body })
    expect([made.status, made.text]).to.deep.include(201)
    expect(made.text).not.to.match(secrets)
    const { id: bea } = made.body as { id: number }
    const change = { email: 'ana@changed.example.org' }
    const changed = await app.request('PUT', `/api/users/${bea}`, {
      token: app.token,
      body: change,
    })
    expect(changed.status).to.equal(200)
    expect(changed.text).not.to.match(secrets)
    const login = { identifier: change.email, password: ana.password }
    expect((await app.request('POST', '/api/auth/local', { body: login })).status).to.equal(200)
  })

  it('cannot be filtered, sorted, selected or populated, and are never suggested', async () => {
    const queries = ['filters[email][$startsWith]=a', 'sort=email', 'fields=email', 'sort=blocked']
    const more = ['filters[$or][0][email]=ana@example.org', 'filters[provider]=local']
    for (const query of [
      ...queries,
      ...more,
      'populate=role',
      'filters[role][name]=x',
      'sort=emal',
    ])
      for (const caller of callers()) {
        const answer = await app.request('GET', `/api/users?${query}`, caller)
        expect([answer.status, answer.text.includes('suggestion')], query).to.deep.equal([
          400,
          false,
        ])
      }
    const nested = ['filters[author][email]=ana@example.org', 'sort=author.email']
    const populated = ['fields=email', 'sort=email', 'filters[email]=ana@example.org']
    for (const query of [
      ...nested,
      ...populated.map((each) => `populate[author][${each.replace('=', ']=')}`),
    ])
      for (const caller of callers())
        expect((await app.request('GET', `/api/articles?${query}`, caller)).status, query).to.equal(
          400,
        )
    const count = await app.request('GET', '/api/users/count?filters[email]=ana@example.org', {
      token: jwt,
    })
    expect(count.status).to.equal(400)
  })

  it('are not searched, and neither are attributes with searchable: false', async () => {
    for (const text of ['example.org', 'ana', 'local'])
      expect(
        (await app.request('GET', `/api/users?_q=${text}`, { token: jwt })).body,
      ).to.deep.equal([])
    await app.request('PUT', `/api/users/${id}`, {
      token: app.token,
      body: { motto: 'Rain again' },
    })
    const found = await app.request('GET', '/api/users?_q=again', { token: jwt })
    expect(found.body).to.have.lengthOf(1)
  })

  it('cannot loosen built-in attributes: the ignored options are logged at the start', () => {
    const ignored = lines.filter((line) => line.includes('is ignored, because the service'))
    expect(ignored.map((line) => /attributes\.([\w.]+) is ignored/.exec(line)?.[1])).to.deep.equal([
      ...['password.private', 'resetPasswordToken.private', 'confirmed.default'],
    ])
  })
})
