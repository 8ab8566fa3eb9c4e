import { expect } from 'chai'
import { conformanceModel } from '../../support/conformance-model.js'
import { startApp, type AppOptions } from '../../support/start-app.js'
import type { TestApp } from '../../support/test-app.js'

type Entry = Readonly<Record<string, unknown>>

const trees = {
  'api::article.article': {
    author: { populate: { avatar: true }, fields: ['name'] },
    category: { filters: { parent: { name: { $null: true } } } },
    tags: true,
    sections: { on: { 'section.hero': { populate: '*' } } },
  },
  'api::author.author': 'favorite',
  'plugin::users-permissions.user': 'role',
  'plugin::upload.file': 'related',
}

const withTrees = (defaultPopulate: Readonly<Record<string, unknown>>): AppOptions => ({
  schemaDir: conformanceModel,
  settings: { 'api.rest.defaultPopulate': defaultPopulate },
})

describe('default populate', () => {
  let app: TestApp
  let path = ''
  before(async () => {
    app = await startApp(withTrees(trees))
    const tag = await make('/tags', { name: 'red' })
    const author = await make('/authors', { name: 'Ada', favorite: tag })
    const category = await make('/categories', { name: 'Top' })
    const sections = [{ __component: 'section.hero', heading: 'Here' }]
    const data = { title: 'Whole', author, category, tags: [tag], sections }
    path = `/articles/${await make('/articles', data)}`
  })
  after(() => app.stop())

  const get = (to: string, token?: string) =>
    app.request('GET', `/api${to}`, token === undefined ? {} : { token })
  const make = async (to: string, data: object): Promise<string> => {
    const answer = await app.request('POST', `/api${to}`, { token: app.token, body: { data } })
    expect(answer.status, answer.text).to.equal(201)
    const made = (answer.body as { data: Entry }).data
    expect(Object.keys(made)).not.to.include.members(['author'])
    return made['documentId'] as string
  }
  const shown = async (search: string, token?: string): Promise<readonly string[]> => {
    const { body, status, text } = await get(`${path}${search}`, token)
    expect(status, text).to.equal(200)
    const names = ['author', 'category', 'tags', 'sections', 'cover']
    return Object.keys((body as { data: Entry }).data).filter((name) => names.includes(name))
  }

  it('applies to users', async () => {
    const user = { username: 'ada', email: 'ada@example.org', password: 'Passw0rd!' }
    const { body: roles } = await get('/users-permissions/roles', app.token)
    const [role] = (roles as { roles: { id: number }[] }).roles
    const body = { ...user, role: role?.id }
    const { body: made } = await app.request('POST', '/api/users', { token: app.token, body })
    const { id } = made as { id: number }
    for (const [to, at] of [
      ['/users', 0],
      [`/users/${id}`, undefined],
    ] as const) {
      const { body } = await get(to, app.token)
      const shown = (at === undefined ? body : (body as Entry[])[at]) as Entry
      expect(shown['role'], to).to.include({ id: role?.id })
    }
    expect(await get(`/users/${id}?populate=`, app.token)).to.have.nested.property('body.id', id)
    expect((await get(`/users/${id}?populate=`, app.token)).body).not.to.have.property('role')
  })

  it('applies to files', async () => {
    const body = new FormData()
    body.append('files', new Blob(['plain words']), 'note.txt')
    const { body: files } = await app.request('POST', '/api/upload', { token: app.token, body })
    const [file] = files as [Entry]
    expect(file).not.to.have.property('related')
    const { body: shown } = await get(`/upload/files/${String(file['id'])}`, app.token)
    expect(shown).to.deep.equal({ ...file, related: [] })
  })

  it('applies to single documents and lists', async () => {
    const all = ['author', 'category', 'tags', 'sections']
    expect(await shown('', app.token)).to.deep.equal(all)
    expect(await shown('', app.token), 'again').to.deep.equal(all)
    expect(await shown('?locale=en', app.token)).to.deep.equal(all)
    const { body } = await get('/articles', app.token)
    const [listed] = (body as { data: Entry[] }).data
    expect(listed?.['author']).to.have.all.keys('id', 'documentId', 'name', 'avatar')
    expect(listed?.['category']).to.include({ name: 'Top' })
  })

  it('is replaced by an explicit populate, even an empty one', async () => {
    expect(await shown('?populate=', app.token)).to.deep.equal([])
    expect(await shown('?populate', app.token)).to.deep.equal([])
    expect(await shown('?populate=cover', app.token)).to.deep.equal(['cover'])
  })

  it('leaves out relations the caller may not find, without rejecting the request', async () => {
    await app.allow('public', ['api::article.article.findOne', 'api::tag.tag.find'])
    expect(await shown('')).to.deep.equal(['tags', 'sections'])
    await app.allow('public', ['api::category.category.find', 'api::author.author.find'])
    expect(await shown('')).to.deep.equal(['author', 'category', 'tags', 'sections'])
  })

  it('can be set in a content type definition', async () => {
    const note = {
      kind: 'collectionType',
      collectionName: 'notes',
      info: { singularName: 'note', pluralName: 'notes', displayName: 'Note' },
      options: { defaultPopulate: ['parent'] },
      attributes: {
        parent: { type: 'relation', relation: 'oneToOne', target: 'api::note.note' },
      },
    }
    const notes = await startApp({ schema: { 'content-types/note.json': note } })
    try {
      await notes.request('POST', '/api/notes', { token: notes.token, body: { data: {} } })
      const { body } = await notes.request('GET', '/api/notes', { token: notes.token })
      expect((body as { data: Entry[] }).data[0]?.['parent']).to.equal(null)
    } finally {
      await notes.stop()
    }
  })

  it('stops the start if it is invalid, and names the path', async () => {
    const reason = async (defaultPopulate: Readonly<Record<string, unknown>>): Promise<string> => {
      try {
        const started = await startApp(withTrees(defaultPopulate))
        await started.stop()
        return 'started'
      } catch (error) {
        return (error as Error).message
      }
    }
    expect(
      await reason({ 'api::article.article': { author: { populate: { nope: true } } } }),
    ).to.equal('api.rest.defaultPopulate: api::article.article: Invalid key nope at author.nope')
    expect(await reason({ 'api::article.article': { author: { nope: 1 } } })).to.equal(
      'api.rest.defaultPopulate: api::article.article: Invalid key nope at author',
    )
    expect(await reason({ 'api::none.none': '*' })).to.equal(
      'api.rest.defaultPopulate: there is no content-type api::none.none',
    )
  })
})
