import { expect } from 'chai'
import { readSettings } from '../../../server/settings/read-settings.js'
import { constants } from '../../../server/settings/constants.js'
import { settingsTable } from '../../../server/settings/settings.js'
import { errorBody } from '../../support/error-body.js'
import { startApp } from '../../support/start-app.js'
import type { TestApp } from '../../support/test-app.js'

describe('profiles', () => {
  const read = (file: unknown, env: Record<string, string> = {}) => {
    const problems: string[] = []
    const settings = readSettings(file, env, problems)
    expect(problems).to.deep.equal([])
    return settings
  }

  it('only set defaults of settings that exist by themselves', () => {
    const strict = read({})
    const strapi = read({}, { PROFILE: 'strapi' })
    expect(strict).to.deep.equal({
      ...constants,
      ...Object.fromEntries(
        Object.entries(settingsTable).map(([name, { default: d }]) => [name, d]),
      ),
    })
    expect(strapi).to.deep.equal({
      ...strict,
      profile: 'strapi',
      'api.rest.unknownKeys': 'ignore',
      'validation.requiredRelations': false,
      'api.rest.wrapFilteredRelations': false,
      'api.rest.publicDrafts': true,
      'api.rest.generateUids': false,
      'upload.deniedTypes': [],
      'upload.enforceAllowedTypes': false,
    })
  })

  it('give way to values in the file or the environment', () => {
    const file = { profile: 'strapi', api: { rest: { publicDrafts: false } } }
    const settings = read(file, { API_REST_UNKNOWN_KEYS: 'refuse' })
    expect(settings['api.rest.publicDrafts']).to.equal(false)
    expect(settings['api.rest.unknownKeys']).to.equal('refuse')
    expect(settings['api.rest.wrapFilteredRelations']).to.equal(false)
  })
})

describe('unknown keys with api.rest.unknownKeys=ignore', () => {
  let app: TestApp
  before(async () => {
    app = await startApp({ settings: { 'api.rest.unknownKeys': 'ignore' } })
  })
  after(() => app.stop())

  const call = async (method: string, path: string, body?: unknown) => {
    const answer = await app.request(method, path, { token: app.token, body })
    return [answer.status, answer.headers.get('quire-ignored'), answer.body] as const
  }

  it('are listed in a header if they are in the query', async () => {
    const path = '/api/tags?foo=1&_limit=2&start=3&pagination[nope]=4&pagination[pageSize]=5'
    expect(await call('GET', path)).to.deep.equal([
      200,
      'foo, _limit, start, pagination.nope',
      { data: [], meta: { pagination: { page: 1, pageSize: 5, pageCount: 0, total: 0 } } },
    ])
    expect((await call('GET', '/api/tags'))[1]).to.equal(null)
    const again = await call('GET', path)
    expect(again[1], 'a query that is known').to.equal('foo, _limit, start, pagination.nope')
    expect((await call('GET', '/api/tags?pagination=5'))[1]).to.equal('pagination')
    expect((await call('GET', '/api/users/count?foo=1'))[0]).to.equal(200)
  })

  it('are rejected in a body, at every depth and in a bulk request', async () => {
    const post = async (data: object) => {
      const [status, ignored, body] = await call('POST', '/api/articles', { data })
      const { error } = body as { error?: { message: string } }
      return [status, ignored, error?.message]
    }
    const title = 'With strangers'
    expect(await post({ title, nope: 1 })).to.deep.equal([400, null, 'Invalid key nope'])
    const seo = { metaTitle: 'Here', social: [{ network: 'x', deep: 3 }] }
    expect(await post({ title, seo })).to.deep.equal([400, null, 'Invalid key deep at seo.social'])
    expect(
      await post({ title, sections: [{ __component: 'section.hero', odd: 4 }] }),
    ).to.deep.equal([400, null, 'Invalid key odd at sections'])
    const operations = [{ op: 'create', data: { title, nope: 1 } }]
    const [status, ignored, body] = await call('POST', '/api/articles/bulk', { operations })
    expect([status, ignored]).to.deep.equal([200, null])
    expect(body).to.have.nested.property('data[0].error.message', 'Invalid key nope')
    expect((await call('GET', '/api/articles?status=draft'))[2]).to.have.nested.property(
      'meta.pagination.total',
      0,
    )
  })

  it('are rejected in the body of a user', async () => {
    const { roles } = (await call('GET', '/api/users-permissions/roles'))[2] as {
      roles: { id: number }[]
    }
    const [status, , body] = await call('POST', '/api/users', {
      ...{ username: 'stranger', email: 'stranger@example.org', password: 'Passw0rd!' },
      ...{ role: roles[0]?.id, shoeSize: 43 },
    })
    expect(status).to.equal(400)
    expect(body).to.have.nested.property('error.message', 'Invalid key shoeSize')
  })

  it('are encoded and shortened for the header', async () => {
    expect((await call('GET', '/api/tags?a%0D%0ASet-Cookie:%20b=1&%C3%A9,=2'))[1]).to.equal(
      'a%0D%0ASet-Cookie%3A%20b, %C3%A9%2C',
    )
    const many = Array.from({ length: 300 }, (_, at) => `parameter${at}=1`).join('&')
    const header = (await call('GET', `/api/tags?${many}`))[1] ?? ''
    expect(header.length).to.be.below(1100)
    expect(header).to.match(/^parameter0, .*, \.\.\. and \d+ more$/)
  })

  it('are rejected in filters, populate, fields, sort and relations', async () => {
    const refused = async (method: string, path: string, body?: unknown) => {
      const [status, ignored] = await call(method, path, body)
      expect([status, ignored], path).to.deep.equal([400, null])
    }
    await refused('GET', '/api/tags?filters[nope]=1')
    await refused('GET', '/api/tags?filters[name][$nope]=1')
    await refused('GET', '/api/articles?populate[nope]=true')
    await refused('GET', '/api/articles?populate[tags][nope]=1')
    await refused('GET', '/api/tags?fields=nope')
    await refused('GET', '/api/tags?sort=nope')
    await refused('GET', '/api/tags?status=foo')
    await refused('GET', '/api/articles?locale=1')
    await refused('POST', '/api/articles', { data: { title: 'x', tags: { nope: [] } } })
    expect((await call('GET', '/api/tags?page=2'))[2]).to.deep.equal(
      errorBody(
        400,
        'PaginationError',
        'Invalid pagination attributes. The page parameters are incorrect and must be in the pagination object',
        {},
      ),
    )
  })
})

describe('required relations', () => {
  const note = {
    kind: 'collectionType',
    collectionName: 'notes',
    info: { singularName: 'note', pluralName: 'notes', displayName: 'Note' },
    options: { draftAndPublish: true },
    attributes: {
      title: { type: 'string', required: true },
      parent: { type: 'relation', relation: 'oneToOne', target: 'api::note.note', required: true },
      picture: { type: 'media', required: true },
    },
  }
  const statuses = async (requiredRelations: boolean) => {
    const app = await startApp({
      schema: { 'content-types/note.json': note },
      settings: { 'validation.requiredRelations': requiredRelations },
    })
    try {
      const post = async (data: object) =>
        (await app.request('POST', '/api/notes', { token: app.token, body: { data } })).status
      return [
        await post({ title: 'alone' }),
        await post({}),
        await post({ title: 'a', parent: null }),
      ]
    } finally {
      await app.stop()
    }
  }

  it('are enforced unless validation.requiredRelations is false', async () => {
    expect(await statuses(true)).to.deep.equal([400, 400, 400])
    expect(await statuses(false)).to.deep.equal([201, 400, 201])
  })
})
