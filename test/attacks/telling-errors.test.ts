import { expect } from 'chai'
import { startApp } from '../support/start-app.js'
import type { TestApp } from '../support/test-app.js'

const type = (name: string, attributes: object, options: object = {}) => ({
  kind: 'collectionType',
  collectionName: `${name}s`,
  info: { singularName: name, pluralName: `${name}s`, displayName: name },
  options: { draftAndPublish: true, ...options },
  attributes,
})

const schema = {
  'components/note/line.json': {
    collectionName: 'components_note_lines',
    info: { displayName: 'Line' },
    attributes: {
      text: { type: 'string' },
      margin: { type: 'string', private: true },
      key: { type: 'password' },
      source: { type: 'relation', relation: 'oneToOne', target: 'api::secret.secret' },
    },
  },
  'content-types/note.json': type(
    'note',
    {
      title: { type: 'string', minLength: 3 },
      remark: { type: 'string', private: true, minLength: 3 },
      number: { type: 'string', private: true, unique: true },
      lines: { type: 'component', component: 'note.line', repeatable: true, max: 1 },
      zone: { type: 'dynamiczone', components: ['note.line'], max: 1 },
      secret: { type: 'relation', relation: 'manyToOne', target: 'api::secret.secret' },
    },
    { populateCreatorFields: true },
  ),
  'content-types/secret.json': type('secret', { cipher: { type: 'string' } }),
}

describe('error about data that the caller may not read', () => {
  let app: TestApp
  before(async () => {
    app = await startApp({ schema })
    const actions = ['find', 'findOne', 'create', 'update', 'publish']
    await app.allow(
      'public',
      actions.map((action) => `api::note.note.${action}`),
    )
  })
  after(() => app.stop())

  const makeDraft = async (data: object): Promise<string> => {
    const options = { token: app.token, body: { data } }
    const { body } = await app.request('POST', '/api/notes?status=draft', options)
    return (body as { data: { documentId: string } }).data.documentId
  }
  const errorsOf = (body: unknown): readonly { path: string[] }[] =>
    (body as { error: { details: { errors: { path: string[] }[] } } }).error.details.errors

  it('hides stored values of others when publishing is refused', async () => {
    const { body: made } = await app.request('POST', '/api/notes', {
      ...{ token: app.token, body: { data: { title: 'Taken', number: 'N-1' } } },
    })
    expect(made).to.have.property('data')
    const { body: secret } = await app.request('POST', '/api/secrets', {
      ...{ token: app.token, body: { data: { cipher: 'enigma' } } },
    })
    const { documentId } = (secret as { data: { documentId: string } }).data
    const line = { text: 'seen', margin: 'unseen', key: 'passphrase', source: documentId }
    const draft = await makeDraft({
      ...{ title: 'No', remark: 'XY', number: 'N-1', lines: [line, line] },
      zone: [
        { __component: 'note.line', ...line },
        { __component: 'note.line', ...line },
      ],
    })
    for (const [method, path, body] of [
      ['PUT', `/api/notes/${draft}`, { data: {} }],
      ['POST', `/api/notes/${draft}/actions/publish`, undefined],
    ] as const) {
      const answer = await app.request(method, path, body === undefined ? {} : { body })
      expect(answer.status).to.equal(400)
      expect(answer.text).not.to.match(/XY|N-1|unseen|passphrase|argon2/)
      expect(answer.text).not.to.include(documentId)
      expect(errorsOf(answer.body).map(({ path: [name] }) => name)).to.deep.equal([
        ...['title', 'remark', 'number', 'lines', 'zone'],
      ])
      expect(errorsOf(answer.body)[0]).to.have.property('value', 'No')
      expect(errorsOf(answer.body)[3]).to.deep.include({
        value: [{ text: 'seen' }, { text: 'seen' }],
      })
    }
    const own = await app.request('PUT', `/api/notes/${draft}`, {
      body: { data: { remark: 'Z', lines: [], zone: [], title: 'Fine' } },
    })
    expect(errorsOf(own.body)).to.deep.equal([
      {
        path: ['remark'],
        message: 'remark must be at least 3 characters',
        name: 'ValidationError',
        value: 'Z',
        bound: 'minLength',
        limit: 3,
      },
      {
        path: ['number'],
        message: 'This attribute must be unique',
        name: 'ValidationError',
      },
    ])
  })

  it('suggests no private attributes, and no attributes of types without permission', async () => {
    for (const [query, suggestion] of [
      ['filters[remrk]=1', undefined],
      ['filters[titel]=1', 'title'],
      ['sort=numbr', undefined],
      ['fields=remrk', undefined],
      ['populate[lines][fields]=margn', undefined],
      ['populate[lines][sort]=tex', 'text'],
      ['populate[secret][fields]=ciphr', undefined],
      ['populate[secret][filters][ciphr]=1', undefined],
      ['populate[secret][sort]=ciphr', undefined],
      ['populate[lines][populate][source][fields]=ciphr', undefined],
      ['populate[secret][populate]=ciphr', undefined],
    ] as const) {
      const { body } = await app.request('GET', `/api/notes?${query}`)
      expect(body, query).to.have.nested.property('error.status', 400)
      const details = (body as { error: { details: { suggestion?: string } } }).error.details
      expect(details.suggestion, query).to.equal(suggestion)
    }
    for (const data of [{ remrk: 'a' }, { lines: [{ margn: 1 }] }]) {
      const { status, text } = await app.request('POST', '/api/notes', {
        token: app.token,
        body: { data },
      })
      expect([status, text.includes('suggestion')]).to.deep.equal([400, false])
    }
    const full = await app.request('GET', '/api/notes?populate[secret][fields]=ciphr', {
      token: app.token,
    })
    expect(full.body).to.have.nested.property('error.details.suggestion', 'cipher')
  })

  it('hides the data of admins in populate[createdBy], except the shown attributes', async () => {
    for (const option of [
      '[filters][updatedAt][$gt]=2020-01-01',
      '[filters][email][$contains]=a',
      '[filters][isActive]=true',
      '[filters][registrationToken][$notNull]=true',
      '[sort]=updatedAt',
      '[sort]=email',
      '[fields]=updatedAt',
      '[fields]=emai',
    ]) {
      const path = `/api/notes?populate[createdBy]${option}`
      const { status, text } = await app.request('GET', path, { token: app.token })
      expect([status, text.includes('suggestion')], option).to.deep.equal([400, false])
    }
    for (const option of ['[filters][firstname]=Ada', '[sort]=username', '[fields]=lastname'])
      expect((await app.request('GET', `/api/notes?populate[createdBy]${option}`)).status).to.equal(
        200,
      )
  })
})
