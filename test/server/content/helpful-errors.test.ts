import { expect } from 'chai'
import type { Answer, RequestOptions } from '../../support/request.js'
import { startApp } from '../../support/start-app.js'
import type { TestApp } from '../../support/test-app.js'

const schema = {
  'content-types/dish.json': {
    kind: 'collectionType',
    info: { singularName: 'dish', pluralName: 'dishes', displayName: 'Dish' },
    options: { draftAndPublish: true },
    attributes: {
      name: { type: 'string', required: true, maxLength: 10 },
      code: { type: 'string', unique: true },
      kind: { type: 'enumeration', enum: ['starter', 'main'] },
      since: { type: 'date' },
      price: { type: 'decimal' },
      secret: { type: 'enumeration', enum: ['alpha', 'beta'], private: true },
      course: { type: 'relation', relation: 'manyToOne', target: 'api::dish.dish' },
    },
  },
}

describe('error details', () => {
  let app: TestApp
  before(async () => (app = await startApp({ schema })))
  after(() => app.stop())

  type ErrorBody = Readonly<{ message: string; details: Readonly<Record<string, unknown>> }>
  const errorOf = ({ body }: Answer): ErrorBody => (body as { error: ErrorBody }).error
  const ask = (method: string, path: string, options: RequestOptions = {}) =>
    app.request(method, path, { token: app.token, ...options })
  const refused = async (data: object, search = ''): Promise<ErrorBody> => {
    const answer = await ask('POST', `/api/dishes${search}`, { body: { data } })
    expect(answer.status).to.equal(400)
    return errorOf(answer)
  }

  it('name the path, expected and received value of a wrong filter', async () => {
    for (const [search, path, expected, received] of [
      ['filters[since]=31.12.2024', 'since', 'a date (yyyy-MM-dd)', '31.12.2024'],
      ['filters[course][price][$gt]=viel', 'course.price', 'a number', 'viel'],
    ] as const) {
      const answer = await ask('GET', `/api/dishes?${search}`)
      const details = { path, source: 'query', param: 'filters', expected, received }
      expect(errorOf(answer).details).to.deep.equal(details)
    }
  })

  it('name the path of a wrong sort direction', async () => {
    const answer = await ask('GET', '/api/dishes?sort=course.name:up')
    expect(errorOf(answer)).to.deep.include({
      message: 'Invalid order. order can only be one of asc|desc|ASC|DESC',
      details: {
        ...{ path: 'course.name', source: 'query', param: 'sort' },
        ...{ expected: 'asc or desc', received: 'up' },
      },
    })
  })

  it('name the length limit of a search text', async () => {
    const answer = await ask('GET', `/api/dishes?_q=${'x'.repeat(5000)}`)
    expect(errorOf(answer).message).to.equal(
      "The text of '_q' exceeds the limit of 4096 (characters of a value)",
    )
    expect(errorOf(answer).details).to.include({ param: '_q', limit: 4096 })
  })

  it('list the first hundred unknown keys and count the others', async () => {
    const many = Object.fromEntries(Array.from({ length: 2000 }, (_, at) => [`nane${at}`, 1]))
    const { message, details } = await refused({ name: 'a', ...many })
    expect(message).to.equal('Invalid key nane0')
    expect(details['errors']).to.have.length(100)
    expect(details['more']).to.equal(1900)
  })

  it('truncate a long key', async () => {
    const { details } = await refused({ [`a${'x'.repeat(100_000)}`]: 1, nope: 1 })
    expect(JSON.stringify(details)).to.have.length.below(5000)
  })

  const wrong = { kind: 'mian', since: '31.12.2024', price: 'viel' }

  it('list all errors of a body in the order of its attributes', async () => {
    await ask('POST', '/api/dishes', { body: { data: { name: 'a', code: 'taken' } } })
    const course = { course: 'a'.repeat(24) }
    const { message, details } = await refused({ ...wrong, code: 'taken', ...course })
    expect(message).to.equal('6 errors occurred')
    expect(details['errors']).to.deep.equal([
      {
        path: ['name'],
        message: 'name must be defined.',
        name: 'ValidationError',
        expected: 'a value',
        suggestion: 'Send a value: it is required',
      },
      {
        path: ['code'],
        message: 'This attribute must be unique',
        name: 'ValidationError',
        value: 'taken',
      },
      {
        path: ['kind'],
        message: 'kind must be one of the following values: starter, main, ',
        name: 'ValidationError',
        value: 'mian',
        expected: 'one of: starter, main',
        suggestion: 'main',
      },
      {
        path: ['since'],
        message: 'Invalid format, expected yyyy-MM-dd',
        name: 'ValidationError',
        value: '31.12.2024',
        expected: 'a date (yyyy-MM-dd)',
      },
      {
        path: ['price'],
        message:
          'price must be a `number` type, but the final value was: `NaN` (cast from the value `"viel"`).',
        name: 'ValidationError',
        value: null,
        expected: 'a value of type number',
      },
      {
        path: ['course'],
        message: `Document with id "${course.course}", locale "null" not found`,
        name: 'ValidationError',
        expected: 'the id or documentId of an entry of api::dish.dish',
      },
    ])
  })

  it('list only the errors that apply to a draft', async () => {
    const { details } = await refused({ ...wrong, code: 'taken' }, '?status=draft')
    const paths = (details['errors'] as readonly { path: string[] }[]).map(({ path }) => path[0])
    expect(paths).to.deep.equal(['kind', 'since', 'price'])
  })

  it('list an unknown key first, together with all other errors', async () => {
    expect(await refused({ name: 'a', nmae: 'b' })).to.deep.include({
      message: 'Invalid key nmae',
      details: { key: 'nmae', path: null, source: 'body', suggestion: 'name' },
    })
    const { message, details } = await refused({ nmae: 'b', colour: 'red', since: 'soon' })
    expect(message).to.equal('Invalid key nmae')
    expect(details).to.include({ key: 'nmae', suggestion: 'name' })
    const errors = details['errors'] as readonly { message: string }[]
    expect(errors.map(({ message }) => message)).to.deep.equal([
      'Invalid key nmae',
      'Invalid key colour',
      'name must be defined.',
      'Invalid format, expected yyyy-MM-dd',
    ])
  })

  it('name the length limit of a text, and suggest null for an empty value', async () => {
    const { details } = await refused({ name: 'x'.repeat(11), kind: '', since: '' })
    expect(details['errors']).to.containSubset([
      { path: ['name'], bound: 'maxLength', limit: 10 },
      { path: ['kind'], suggestion: 'For no value, send null' },
      { path: ['since'], suggestion: 'For no value, send null' },
    ])
  })

  it('do not reveal a private stored value', async () => {
    const answer = await ask('POST', '/api/dishes?status=draft', { body: { data: { name: 'a' } } })
    const { documentId } = (answer.body as { data: { documentId: string } }).data
    for (const collection of await app.quire.services.db.collections())
      await collection.updateMany({ documentId }, { $set: { secret: 'alpa' } })
    const published = await ask('POST', `/api/dishes/${documentId}/actions/publish`, { body: {} })
    expect(published.status).to.equal(400)
    expect(published.text).to.not.include('alpa').and.not.include('"alpha"')
  })

  it('suggest the Content-Type header if JSON is sent without it', async () => {
    const body = JSON.stringify({ data: { name: 'a' } })
    for (const type of ['application/x-www-form-urlencoded', 'text/plain']) {
      const answer = await ask('POST', '/api/dishes', { body, headers: { 'Content-Type': type } })
      expect(answer.status).to.equal(400)
      expect(errorOf(answer)).to.deep.include({
        message: 'Missing "data" payload in the request body',
        details: {
          expected: 'application/json',
          received: type,
          suggestion: 'Content-Type: application/json',
        },
      })
    }
    const whole = await ask('POST', '/api/dishes', { body: { name: 'a' } })
    expect(errorOf(whole).details).to.deep.equal({ expected: '{ "data": { … } }' })
  })

  it('suggest the Bearer prefix for a token sent without it', async () => {
    await app.allow('public', ['api::dish.dish.findOne'])
    const headers = { Authorization: app.token }
    const answer = await app.request('GET', '/api/dishes', { headers })
    expect(answer.status).to.equal(403)
    expect(errorOf(answer).details).to.deep.equal({ suggestion: 'Authorization: Bearer <token>' })
    const nobody = await app.request('GET', '/api/dishes')
    expect(errorOf(nobody).details).to.deep.equal({})
  })

  it('explain that an admin token is not valid at /api', async () => {
    const answer = await ask('GET', '/api/dishes', { token: app.adminJwt })
    expect(answer.status).to.equal(401)
    expect(errorOf(answer).details['suggestion']).to.include('the token of an admin')
    const forged = await ask('GET', '/api/dishes', { token: 'a.b.c' })
    expect(errorOf(forged).details).to.deep.equal({})
  })

  it('suggest the path or action that was probably meant', async () => {
    for (const [method, path, suggestion] of [
      ['GET', '/dishes', '/api/dishes'],
      ['GET', '/dishs/x', '/api/dishes/x'],
      ['POST', '/api/dishes/x/publish', '/api/dishes/x/actions/publish'],
      ['POST', '/api/dishes/x/actions/publsh', '/api/dishes/x/actions/publish'],
      ['POST', '/api/dishes/x/action/unpublish', '/api/dishes/x/actions/unpublish'],
      ['POST', '/api/dishes/x/anything/else', undefined],
      ['POST', '/api/auth/locl', '/api/auth/local'],
      ['GET', '/nothing-like-it', undefined],
    ] as const) {
      const answer = await ask(method, path, method === 'POST' ? { body: {} } : {})
      const result = [answer.status, errorOf(answer).details['suggestion']]
      expect(result, path).to.deep.equal([404, suggestion])
    }
    const nobody = await app.request('POST', '/api/dishs/x/publish', { body: {} })
    expect(errorOf(nobody).details).to.deep.equal({})
  })
})
