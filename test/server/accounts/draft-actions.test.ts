import { expect } from 'chai'
import { errorBody } from '../../support/error-body.js'
import { startApp } from '../../support/start-app.js'
import type { TestApp } from '../../support/test-app.js'

const forbidden = errorBody(403, 'ForbiddenError', 'Forbidden', {})
const drafts = { draftAndPublish: true }
const text = { type: 'string' }
const relation = (relation: string, target: string, more: object) => ({
  ...{ type: 'relation', relation, target: `api::${target}.${target}` },
  ...more,
})
const collection = (name: string, attributes: object, options: object = {}) => ({
  kind: 'collectionType',
  info: { singularName: name, pluralName: `${name}s`, displayName: name },
  options,
  attributes,
})
const schema = {
  'content-types/post.json': collection(
    'post',
    {
      title: { ...text, required: true },
      shelf: relation('oneToOne', 'shelf', { mappedBy: 'post' }),
      label: relation('oneToOne', 'label', { mappedBy: 'post' }),
    },
    drafts,
  ),
  'content-types/shelf.json': collection('shelf', {
    name: text,
    post: relation('oneToOne', 'post', { inversedBy: 'shelf' }),
  }),
  'content-types/label.json': collection(
    'label',
    { name: text, post: relation('oneToOne', 'post', { inversedBy: 'label' }) },
    drafts,
  ),
  'content-types/front.json': {
    kind: 'singleType',
    info: { singularName: 'front', pluralName: 'fronts', displayName: 'front' },
    options: drafts,
    attributes: { title: { ...text, required: true } },
  },
}

describe('actions createDraft and updateDraft', () => {
  let app: TestApp
  let writer: string
  let post: string
  before(async () => {
    app = await startApp({ schema })
    writer = await makeToken('writer', [
      'api::post.post.createDraft',
      'api::post.post.updateDraft',
      'api::front.front.updateDraft',
      'api::shelf.shelf.find',
      'api::label.label.find',
    ])
  })
  after(() => app.stop())
  beforeEach(async () => {
    post = await create('/api/posts', { title: 'published' })
    await app.request('PUT', '/api/front', { token: app.token, body: { data: { title: 'p' } } })
  })

  const makeToken = async (name: string, permissions: readonly string[]) => {
    const body = { name, description: '', type: 'custom', lifespan: null, permissions }
    const made = await app.request('POST', '/admin/api-tokens', { token: app.adminJwt, body })
    expect(made.status).to.equal(201)
    return (made.body as { data: { accessKey: string } }).data.accessKey
  }
  const create = async (path: string, data: object) => {
    const made = await app.request('POST', path, { token: app.token, body: { data } })
    expect(made.status).to.equal(201)
    return (made.body as { data: { documentId: string } }).data.documentId
  }
  const write = (method: string, path: string, data: object = { title: 'mine' }) =>
    app.request(method, path, { token: writer, body: { data } })
  const titleOf = async (path: string) => {
    const { body } = await app.request('GET', path, { token: app.token })
    return (body as { data: { title: string } }).data.title
  }

  it('allow POST and PUT with status=draft, and leave the published version unchanged', async () => {
    const made = await write('POST', '/api/posts?status=draft')
    expect(made.status).to.equal(201)
    expect(made.body).to.have.nested.property('data.publishedAt', null)
    for (const [path, query] of [
      [`/api/posts/${post}`, '?status=draft'],
      [`/api/posts/${post}`, '?fields=title&status=dr%61ft'],
      ['/api/front', '?status=draft'],
    ] as const) {
      expect((await write('PUT', path + query)).status).to.equal(200)
      expect(await titleOf(`${path}?status=draft`)).to.equal('mine')
      expect(await titleOf(path)).to.match(/^p/)
    }
  })

  it('reject every other method, action and spelling of the status parameter', async () => {
    const refused = [
      ...['', '?status=published', '?status=draft&status=published', '?status[]=draft'],
      ...['?status=published&status=draft', '?status[0]=draft&status[1]=published'],
      ...['?status=', '?status=DRAFT', '?Status=draft', '?status%00=draft', '?status[$eq]=draft'],
      ...[
        '?x=1&status=draft%26status',
        '?filters[status]=draft',
        '#?status=draft',
        '?;status=draft',
      ],
    ]
    for (const query of refused)
      for (const [method, path] of [
        ['POST', '/api/posts'],
        ['PUT', `/api/posts/${post}`],
        ['PUT', '/api/front'],
      ] as const) {
        const { status } = await write(method, path + query)
        expect(status, `${method} ${path}${query}`).to.be.oneOf([400, 403])
      }
    for (const [method, path] of [
      ['POST', '/api/posts'],
      ['POST', '/api/posts?status=published'],
      ['PUT', `/api/posts/${post}`],
      ['PUT', '/api/front'],
      ['DELETE', `/api/posts/${post}?status=draft`],
      ['DELETE', '/api/front?status=draft'],
      ['GET', `/api/posts/${post}?status=draft`],
      ...['publish', 'unpublish', 'discard-draft'].flatMap((action) => [
        ['POST', `/api/posts/${post}/actions/${action}?status=draft`],
        ['POST', `/api/front/actions/${action}?status=draft`],
      ]),
    ] as const) {
      const options = method === 'GET' ? {} : { body: { data: { title: 'mine' } } }
      const answer = await app.request(method ?? '', path ?? '', { token: writer, ...options })
      const { error } = answer.body as { error: { message: string; details: { action?: string } } }
      const refusal = [answer.status, error.message, Object.keys(error.details)]
      expect(refusal, `${method} ${path}`).to.deep.equal([403, 'Forbidden', ['action']])
    }
    expect(await titleOf(`/api/posts/${post}`)).to.equal('published')
    expect(await titleOf(`/api/posts/${post}?status=draft`)).to.equal('published')
    expect(await titleOf('/api/front')).to.equal('p')
  })

  it('reject PUT for a caller who has only createDraft', async () => {
    const token = await makeToken('creator', ['api::post.post.createDraft'])
    const body = { data: { title: 'mine' } }
    const path = '/api/posts?status=draft'
    expect((await app.request('POST', path, { token, body })).status).to.equal(201)
    const put = await app.request('PUT', `/api/posts/${post}?status=draft`, { token, body })
    expect(put.status).to.equal(403)
  })

  it('reject a relation that is stored in an entry of a type without drafts', async () => {
    const shelf = await create('/api/shelfs', { name: 'one' })
    const label = await create('/api/labels', { name: 'one' })
    const path = `/api/posts/${post}?status=draft`
    const refused = await write('PUT', path, { shelf })
    expect([refused.status, refused.body]).to.deep.equal([
      400,
      errorBody(400, 'ValidationError', 'Invalid key shelf', {
        ...{ key: 'shelf', path: 'shelf', source: 'body' },
      }),
    ])
    expect((await write('POST', '/api/posts?status=draft', { shelf })).status).to.equal(400)
    expect((await write('PUT', path, { label })).status).to.equal(200)
    for (const at of [`/api/shelfs/${shelf}`, `/api/labels/${label}`]) {
      const { body } = await app.request('GET', `${at}?populate=post`, { token: app.token })
      expect(body, at).to.have.nested.property('data.post', null)
    }
    const full = { token: app.token, body: { data: { shelf } } }
    expect((await app.request('PUT', path, full)).status).to.equal(200)
  })

  it('are not listed for a type without drafts, and allow nothing there', async () => {
    const { body } = await app.request('GET', '/users-permissions/permissions', {
      token: app.adminJwt,
    })
    const { permissions } = body as {
      permissions: Record<string, { controllers: Record<string, object> }>
    }
    const names = (name: string) =>
      Object.keys(permissions[`api::${name}`]?.controllers[name] ?? {}).filter((action) =>
        action.endsWith('Draft'),
      )
    expect(names('post')).to.deep.equal(['createDraft', 'updateDraft'])
    expect(names('front')).to.deep.equal(['updateDraft'])
    expect(names('shelf')).to.deep.equal([])
    // The role still has draft actions, as if they were granted when the type had drafts.
    await app.allow('public', ['api::shelf.shelf.createDraft', 'api::shelf.shelf.updateDraft'])
    const shelf = await create('/api/shelfs', { name: 'one' })
    for (const [method, path] of [
      ['POST', '/api/shelfs?status=draft'],
      ['PUT', `/api/shelfs/${shelf}?status=draft`],
    ] as const) {
      const answer = await app.request(method, path, { body: { data: { name: 'mine' } } })
      expect([answer.status, answer.body]).to.deep.equal([403, forbidden])
    }
  })

  it('can be granted to a role and are listed there, but only for types with drafts', async () => {
    const roles = async () =>
      (await app.request('GET', '/users-permissions/roles', { token: app.adminJwt })).body as {
        roles: { id: number; type: string }[]
      }
    const id = (await roles()).roles.find(({ type }) => type === 'authenticated')?.id
    const on = { enabled: true }
    const permissions = { 'api::post': { controllers: { post: { updateDraft: on } } } }
    const options = { token: app.adminJwt }
    const path = `/users-permissions/roles/${id}`
    expect((await app.request('PUT', path, { ...options, body: { permissions } })).status).to.equal(
      200,
    )
    const { body } = await app.request('GET', path, options)
    const shown = 'role.permissions.api::post.controllers.post'
    expect(body).to.have.nested.property(`${shown}.updateDraft`).that.includes(on)
    expect(body).to.have.nested.property(shown).that.does.not.have.property('createDraft')
    const shelf = { 'api::shelf': { controllers: { shelf: { updateDraft: on } } } }
    const none = await app.request('PUT', path, { ...options, body: { permissions: shelf } })
    expect(none.status).to.equal(400)
  })
})
