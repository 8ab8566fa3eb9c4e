import { expect } from 'chai'
import { startApp } from '../../support/start-app.js'
import type { TestApp } from '../../support/test-app.js'

type Entry = Readonly<Record<string, unknown>>

describe('Strapi compatibility', () => {
  let app: TestApp
  const tags: string[] = []
  before(async () => {
    app = await startApp()
    for (const name of ['a', 'b', 'c']) tags.push(await make('/tags', { name }))
    await make('/articles', { title: 'Rain 17', summary: 'in town', views: 17, rating: 1.5 })
    await make('/articles', { title: 'Sun', summary: 'on the sea', views: 170, bigViews: '17' })
    await make('/articles', { title: 'Snow', views: 3, featured: true })
  })
  after(() => app.stop())

  const call = (method: string, path: string, body?: unknown) =>
    app.request(method, `/api${path}`, { token: app.token, body })
  const make = async (path: string, data: object): Promise<string> => {
    const { body, text, status } = await call('POST', path, { data })
    expect(status, text).to.equal(201)
    return (body as { data: { documentId: string } }).data.documentId
  }
  const titles = async (search: string): Promise<unknown> => {
    const { body, status } = await call('GET', `/articles?fields=title&sort=id&${search}`)
    return status === 200
      ? (body as { data: Entry[] }).data.map(({ title }) => title)
      : (body as { error: { message: string } }).error.message
  }

  it('finds numbers equal to a search text, and a document by its documentId', async () => {
    expect(await titles('_q=17')).to.deep.equal(['Rain 17', 'Sun'])
    expect(await titles('_q=1.5')).to.deep.equal(['Rain 17'])
    expect(await titles('_q=7')).to.deep.equal(['Rain 17'])
    expect(await titles('_q=%203')).to.deep.equal(['Snow'])
    const { body } = await call('GET', '/articles?fields=title&filters[title]=Snow')
    const [snow] = (body as { data: Entry[] }).data
    expect(await titles(`_q=${String(snow?.['documentId'])}`)).to.deep.equal(['Snow'])
    expect(await titles('_q=sea')).to.deep.equal(['Sun'])
  })

  it('matches a list under a single-value operator if one member matches', async () => {
    const list = (at: string, ...values: readonly string[]): string =>
      values.map((value) => `filters${at}[]=${value}`).join('&')
    expect(await titles(list('[views][$gt]', '100', '16'))).to.deep.equal(['Rain 17', 'Sun'])
    expect(await titles(list('[views][$gte]', '170', '17'))).to.deep.equal(['Rain 17', 'Sun'])
    expect(await titles(list('[views][$lt]', '3', '18'))).to.deep.equal(['Rain 17', 'Snow'])
    expect(await titles(list('[$not][views][$gt]', '100', '16'))).to.deep.equal(['Snow'])
    expect(await titles(list('[title][$contains]', 'Ra', 'Su'))).to.deep.equal(['Rain 17', 'Sun'])
    expect(await titles(list('[title][$notContains]', 'n', 'S'))).to.deep.equal(['Rain 17'])
    expect(await titles(list('[$not][title][$notContains]', 'n', 'S'))).to.deep.equal([
      ...['Sun', 'Snow'],
    ])
    expect(await titles(list('[title][$nei]', 'SUN', 'sun'))).to.deep.equal(['Rain 17', 'Snow'])
    expect(await titles(list('[views][$gt]', '1', 'x'))).to.match(/Expected a number/)
  })

  it('requires all conditions of a list inside $and or $or', async () => {
    const both = 'filters[$or][0][0][title][$contains]=n&filters[$or][0][1][views][$lt]=100'
    expect(await titles(both)).to.deep.equal(['Rain 17', 'Snow'])
    expect(await titles(`${both}&filters[$or][1][title]=Sun`)).to.deep.equal([
      ...['Rain 17', 'Sun', 'Snow'],
    ])
    expect(await titles('filters[$and][0][]=x')).to.match(/Invalid \$and/)
  })

  it('rejects positions that cannot be kept, unless options.strict is false', async () => {
    const [a, b, c] = tags
    const article = await make('/articles', { title: 'Ordered', tags: [a] })
    const connect = async (position: object, options?: object) => {
      const data = { tags: { connect: [{ documentId: b, position }], ...(options && { options }) } }
      const { status, body } = await call('PUT', `/articles/${article}?populate=tags`, { data })
      const shown = status === 200 ? (body as { data: { tags: Entry[] } }).data.tags : []
      return [status, shown.map(({ name }) => name).join('')]
    }
    expect(await connect({ before: c })).to.deep.equal([400, ''])
    expect(await connect({ before: c }, { strict: true })).to.deep.equal([400, ''])
    expect(await connect({ before: c }, { strict: false })).to.deep.equal([200, 'ab'])
    expect(await connect({ before: a }, { strict: false })).to.deep.equal([200, 'ba'])
    const nowhere = 'x'.repeat(24)
    expect(await connect({ before: nowhere }, { strict: true })).to.deep.equal([400, ''])
    expect(await connect({ before: nowhere }, { strict: false })).to.deep.equal([200, 'ab'])
    expect(await connect({ before: b }, { strict: false })).to.deep.equal([200, 'ab'])
    expect(await connect({ before: a }, { strict: 'no' })).to.deep.equal([400, ''])
    expect(await connect({ before: a }, { nope: true })).to.deep.equal([400, ''])
  })

  it('does not populate the users of a role', async () => {
    const { roles } = (await call('GET', '/users-permissions/roles')).body as { roles: Entry[] }
    const user = { username: 'ada', email: 'ada@example.org', password: 'Passw0rd!' }
    await call('POST', '/users', { ...user, role: roles[0]?.['id'] })
    for (const populate of ['populate[role][populate]=users', 'populate[role][populate]=*']) {
      const { status, body } = await call('GET', `/users?${populate}`)
      const [shown] = body as { role: object }[]
      expect([status, Object.keys(shown?.role ?? {}).includes('users')]).to.deep.equal([200, false])
    }
  })

  it('accepts * to populate a media attribute', async () => {
    const { status, body } = await call('GET', '/articles?populate[cover]=*&filters[title]=Snow')
    expect([status, (body as { data: Entry[] }).data[0]?.['cover']]).to.deep.equal([200, null])
  })

  it('removes all permissions of a role with permissions: []', async () => {
    const created = {
      name: 'Readers',
      permissions: { 'api::tag': { controllers: { tag: { find: { enabled: true } } } } },
    }
    await call('POST', '/users-permissions/roles', created)
    const readers = async () => {
      const { roles } = (await call('GET', '/users-permissions/roles')).body as { roles: Entry[] }
      return roles.find(({ name }) => name === 'Readers')?.['id'] as number
    }
    const path = `/users-permissions/roles/${await readers()}`
    const enabled = async () =>
      JSON.stringify((await call('GET', path)).body).includes('"enabled":true')
    expect(await enabled()).to.equal(true)
    expect((await call('PUT', path, { permissions: [] })).status).to.equal(200)
    expect(await enabled()).to.equal(false)
    expect((await call('PUT', path, { permissions: [1] })).status).to.equal(400)
  })

  it('ignores and reports permissions for Strapi plugins that Quire lacks', async () => {
    const name = 'Mailers'
    const send = { 'plugin::email': { controllers: { email: { send: { enabled: true } } } } }
    const { status, headers } = await call('POST', '/users-permissions/roles', {
      ...{ name, permissions: send },
    })
    const ignored = 'permissions.plugin%3A%3Aemail.email.send'
    expect([status, headers.get('quire-ignored')]).to.deep.equal([200, ignored])
    const nope = { 'api::tag': { controllers: { tag: { fnd: { enabled: true } } } } }
    const refused = await call('POST', '/users-permissions/roles', {
      name: 'No',
      permissions: nope,
    })
    expect([refused.status, refused.headers.get('quire-ignored')]).to.deep.equal([400, null])
  })

  it('rejects unknown keys of a locale', async () => {
    const options = { token: app.adminJwt }
    const { body } = await app.request('GET', '/i18n/locales', options)
    const [locale] = body as { id: number }[]
    const put = (data: object) =>
      app.request('PUT', `/i18n/locales/${locale?.id}`, { ...options, body: data })
    const refused = await put({ name: 'English', code: 'fr', nope: 1 })
    const message = 'this field has unspecified keys: code, nope'
    expect([refused.status, refused.body]).to.deep.equal([
      400,
      {
        data: null,
        error: {
          status: 400,
          name: 'ValidationError',
          message,
          details: { errors: [{ path: [], message, name: 'ValidationError' }] },
        },
      },
    ])
    expect((await put({ name: 'English' })).status).to.equal(200)
  })
})
