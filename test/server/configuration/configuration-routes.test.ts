import { expect } from 'chai'
import { MongoClient } from 'mongodb'
import { collectLines } from '../../support/log-lines.js'
import { testDatabaseUri } from '../../support/database.js'
import { startApp } from '../../support/start-app.js'
import type { TestApp } from '../../support/test-app.js'

type Items = Record<string, Record<string, unknown>>
type Configuration = { locales: Items; roles: Items; 'api-tokens': Items }
type Difference = {
  changes: { subject: string; id: string; kind: string; members: object }[]
  kept: string[]
  digest: string
  applied: boolean
}

describe('/admin/configuration', function () {
  this.timeout(60_000)
  const { lines, log } = collectLines()
  const find = 'api::article.article.find'
  const findOne = 'api::article.article.findOne'
  let app: TestApp
  let databaseUri: string
  before(async () => {
    databaseUri = await testDatabaseUri()
    app = await startApp({ log, databaseUri })
  })
  after(() => app?.stop())

  const path = '/admin/configuration'
  const send = (method: string, body?: unknown, search = '') =>
    app.request(method, `${path}${search}`, {
      token: app.adminJwt,
      ...(body === undefined ? {} : { body }),
    })
  const read = async (): Promise<Configuration> =>
    ((await send('GET')).body as { data: Configuration }).data
  const put = async (body: unknown, search = ''): Promise<Difference> => {
    const answer = await send('PUT', body, search)
    expect(answer.status, JSON.stringify(answer.body)).to.equal(200)
    return (answer.body as { data: Difference }).data
  }
  const refusals = async (body: unknown, search = ''): Promise<string[]> => {
    const before = await read()
    const answer = await send('PUT', body, search)
    expect(answer.status).to.equal(400)
    expect(await read(), 'nothing is written').to.deep.equal(before)
    const { error } = answer.body as {
      error: { message: string; details: { errors?: { message: string }[] } }
    }
    return error.details.errors?.map(({ message }) => message) ?? [error.message]
  }

  it('shows locales, roles and tokens by name, without ids, times or secrets', async () => {
    const before = await read()
    expect(Object.keys(before)).to.deep.equal(['locales', 'roles', 'api-tokens'])
    expect(before.locales).to.deep.equal({ en: { name: 'English (en)', isDefault: true } })
    expect(Object.keys(before.roles)).to.deep.equal(['authenticated', 'public'])
    const { permissions } = before.roles['authenticated'] ?? {}
    expect(permissions).to.deep.equal([...(permissions as string[])].sort())
    for (const token of Object.values(before['api-tokens']))
      expect(Object.keys(token)).to.deep.equal(['description', 'type', 'permissions', 'lifespan'])
  })

  it('finds no difference in its own output', async () => {
    expect(await put(await read(), '?prune=true&dryRun=true')).to.deep.include({
      ...{ changes: [], kept: [], applied: false },
    })
  })

  it('creates and changes items only once, and keeps those that are in no file', async () => {
    const configuration = {
      locales: {
        en: { name: 'English', isDefault: false },
        fr: { name: 'French (fr)', isDefault: true },
      },
      roles: {
        editor: { name: 'Chief editor', description: 'Edits', permissions: [findOne, find] },
        public: { name: 'Public', permissions: [find] },
      },
      'api-tokens': { Website: { type: 'custom', permissions: [find] } },
    }
    const shown = await put(configuration, '?dryRun=true')
    expect(shown.changes.map(({ subject, id, kind }) => `${kind} ${subject} ${id}`)).to.deep.equal([
      ...['create locales fr', 'create roles editor', 'create api-tokens Website'],
      ...['change locales en', 'change roles public'],
    ])
    expect(shown.kept).to.include('roles.authenticated')
    expect((await read()).roles).to.not.have.property('editor')

    const made = await put(configuration, `?digest=${shown.digest}`)
    expect(made).to.deep.equal({ ...shown, applied: true })
    const after = await read()
    expect(after.locales).to.deep.equal(configuration.locales)
    expect(after.roles['editor']).to.deep.equal({
      ...{ name: 'Chief editor', description: 'Edits', permissions: [find, findOne] },
    })
    expect(after.roles['public']).to.deep.include({ permissions: [find] })
    expect(after['api-tokens']['Website']).to.deep.equal({
      ...{ description: '', type: 'custom', permissions: [find], lifespan: null },
    })
    expect((await put(configuration)).changes).to.deep.equal([])
  })

  it('takes effect for the next request, and logs granted and revoked permissions', async () => {
    expect((await app.request('GET', '/api/articles')).status).to.equal(200)
    const roles = { public: { name: 'Public', permissions: [findOne] } }
    await put({ roles })
    expect((await app.request('GET', '/api/articles')).status).to.equal(403)
    const entries = lines.map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(entries.findLast(({ event }) => event === 'role-changed')).to.deep.include({
      ...{ role: 'public', granted: [findOne], revoked: [find] },
    })
  })

  it('creates a token whose key is unknown until an admin regenerates it', async () => {
    await put({ 'api-tokens': { Job: { type: 'read-only', lifespan: 86_400_000 } } })
    const { body } = await app.request('GET', '/admin/api-tokens', { token: app.adminJwt })
    const made = (body as { data: { id: number; name: string }[] }).data.find(
      ({ name }) => name === 'Job',
    )
    const again = await app.request('POST', `/admin/api-tokens/${made?.id}/regenerate`, {
      token: app.adminJwt,
    })
    const { accessKey } = (again.body as { data: { accessKey: string } }).data
    expect((await app.request('GET', '/api/articles', { token: accessKey })).status).to.equal(200)
  })

  it('accepts its own output for a token whose actions no longer exist', async () => {
    const token = { type: 'custom', permissions: [find] }
    await put({ 'api-tokens': { Gone: token, Empty: token } })
    const client = new MongoClient(databaseUri)
    try {
      const permissions = ['api::gone.gone.find']
      await client
        .db()
        .collection('_api_tokens')
        .updateOne({ name: 'Gone' }, { $set: { permissions } })
    } finally {
      await client.close()
    }
    const { 'api-tokens': tokens } = await read()
    expect(tokens['Gone']).to.deep.include({ type: 'custom', permissions: [] })
    expect((await put({ 'api-tokens': { Gone: tokens['Gone'] } })).changes).to.deep.equal([])
    const empty = { ...tokens['Empty'], permissions: [] }
    expect(await refusals({ 'api-tokens': { Empty: empty, New: empty } })).to.deep.equal([
      'api-tokens.Empty.permissions: a custom token needs a list of actions',
      'api-tokens.New.permissions: a custom token needs a list of actions',
    ])
  })

  it('reports all errors at once with path and suggestion, and writes nothing', async () => {
    expect(
      await refusals({
        role: {},
        locales: { en: { name: 'E', isDefualt: true }, '?': { name: 'Q' } },
        roles: { editor: { name: 'Ed', permissions: ['api::article.article.fnd'] } },
        'api-tokens': {
          Website: { type: 'costum' },
          Job: { type: 'read-only', permissions: [find], lifespan: 1000 },
        },
      }),
    ).to.deep.equal([
      'role: there is no subject role; did you mean roles?',
      'locales.en.isDefualt: there is no member isDefualt; did you mean isDefault?',
      'locales.?: must be a language tag such as fr-CA',
      'roles.editor.name: name must be at least 3 characters',
      `roles.editor.permissions.0: there is no action api::article.article.fnd; did you mean ${find}?`,
      'api-tokens.Website.type: type must be one of full-access, read-only, custom',
      'api-tokens.Job.permissions: only a custom token can have a list of actions',
      'api-tokens.Job.lifespan: the lifespan of an existing token cannot change (86400000). Delete the token first, or use another name',
    ])
    expect(
      await refusals({
        locales: { en: { name: 5, isDefault: 'yes', fallback: 'fr' } },
        'api-tokens': { Job: { type: 'read-only', description: {}, lifespan: 'long' } },
      }),
    ).to.deep.equal([
      'locales.en.name: name must be text',
      'locales.en.isDefault: isDefault must be true or false',
      'locales.en.fallback: fallback must be a list',
      'api-tokens.Job.description: description must be text',
      'api-tokens.Job.lifespan: lifespan must be a number',
    ])
    expect(await refusals({ locales: { en: { name: 'English' } } })).to.deep.equal([
      'locales: one of them must be the default: { "isDefault": true }',
    ])
    expect(await refusals([])).to.deep.equal(['The configuration must be an object'])
  })

  it('removes what is in no file with prune, except items that must stay', async () => {
    const stored = await read()
    expect(await refusals({ ...stored, roles: {} }, '?prune=true')).to.deep.equal([
      'roles.authenticated: Cannot delete authenticated role',
      'roles.public: Cannot delete public role',
    ])
    const created = await app.request('POST', '/api/articles?locale=en', {
      token: app.token,
      body: { data: { title: 'In English' } },
    })
    expect(created.status, JSON.stringify(created.body)).to.equal(201)
    const { fr } = stored.locales
    expect(await refusals({ locales: { fr } }, '?prune=true')).to.deep.equal([
      'locales.en: Cannot delete the locale en. Delete its content first (1 of api::article.article)',
    ])
    const { editor, ...roles } = stored.roles
    expect(editor).to.be.an('object')
    const { Job, ...tokens } = stored['api-tokens']
    expect(Job).to.be.an('object')
    const pruned = await put({ roles, 'api-tokens': tokens }, '?prune=true')
    expect(pruned.changes.map(({ kind, id }) => `${kind} ${id}`)).to.deep.equal([
      'remove Job',
      'remove editor',
    ])
    const after = await read()
    expect(after.roles).to.deep.equal(roles)
    expect(after['api-tokens']).to.deep.equal(tokens)
  })

  it('applies nothing if the difference is not the one that was shown', async () => {
    const configuration = { roles: { reader: { name: 'Reader' } } }
    const { digest } = await put(configuration, '?dryRun=true')
    await put({ roles: { reader: { name: 'Other reader' } } })
    expect(await refusals(configuration, `?digest=${digest}`)).to.deep.equal([
      'The difference has changed since it was shown. Check it again',
    ])
  })

  it('rejects unknown parameters', async () => {
    const { status, body } = await send('PUT', {}, '?dryrun=true')
    expect(status).to.equal(400)
    expect(body).to.have.nested.property('error.details.suggestion', 'dryRun')
    expect((await send('PUT', {}, '?prune=yes')).status).to.equal(400)
  })
})
