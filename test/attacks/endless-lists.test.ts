import { expect } from 'chai'
import { errorBody } from '../support/error-body.js'
import { startApp } from '../support/start-app.js'
import type { TestApp } from '../support/test-app.js'

const depth = errorBody(
  400,
  'ValidationError',
  'The depth of populate exceeds the limit of 10 (api.rest.maxPopulateDepth)',
  { bound: 'api.rest.maxPopulateDepth', limit: 10 },
)
const listOf = (param: string) =>
  errorBody(
    400,
    'ValidationError',
    `The list in ${param} exceeds the limit of 1000 (api.rest.maxArrayLength)`,
    { bound: 'api.rest.maxArrayLength', limit: 1000 },
  )
const pathOfSort = errorBody(
  400,
  'ValidationError',
  'The path of a sort key exceeds the limit of 10 (api.rest.maxPopulateDepth)',
  { bound: 'api.rest.maxPopulateDepth', limit: 10 },
)

const path = 'a.'.repeat(62_000)
const paths = 'a.b,'.repeat(30_000)

describe('overlong list or path in a query string', () => {
  let app: TestApp
  before(async () => {
    app = await startApp()
  })
  after(() => app.stop())

  for (const [search, refusal] of [
    [`populate=${path}`, depth],
    [`populate[0]=${path}`, depth],
    [`populate[articles][populate]=${path}`, depth],
    [`populate[articles][populate][0]=${path}`, depth],
    [`populate[articles][on][a.b][populate]=${path}`, depth],
    [`populate=${paths}`, listOf('populate')],
    [`populate[0]=${paths}`, listOf('populate')],
    [`populate[0]=${'a,'.repeat(600)}&populate[1]=${'b,'.repeat(600)}`, listOf('populate')],
    [`populate[articles][populate]=${paths}`, listOf('populate')],
    [`fields=${'name,'.repeat(24_000)}`, listOf('fields')],
    [`populate[articles][fields]=${'name,'.repeat(24_000)}`, listOf('fields')],
    [`sort=${'name,'.repeat(24_000)}`, listOf('sort')],
    [`sort=${path}`, pathOfSort],
    [`sort[0]=${path}`, pathOfSort],
    [`sort[${path}]=asc`, pathOfSort],
  ] as const) {
    it(`${search.slice(0, 60)}… is refused on reads and writes, with the name of the limit`, async () => {
      const { token } = app
      for (const method of ['GET', 'POST', 'PUT']) {
        const endpoint = method === 'PUT' ? '/api/authors/anybody' : '/api/authors'
        const body = method === 'GET' ? {} : { body: { data: { name: 'Ana' } } }
        const answer = await app.request(method, `${endpoint}?${search}`, { token, ...body })
        expect([answer.status, answer.body], method).to.deep.equal([400, refusal])
        expect((await app.request('GET', '/api/authors', { token })).status).to.equal(200)
      }
    })
  }

  it('is refused by the lists of users and files too', async () => {
    for (const endpoint of ['/api/users', '/api/upload/files']) {
      const answer = await app.request('GET', `${endpoint}?populate=${path}`, { token: app.token })
      expect([endpoint, answer.status, answer.body]).to.deep.equal([endpoint, 400, depth])
    }
  })

  it('is cut to a thousand characters in the error', async () => {
    const name = 'x'.repeat(100_000)
    for (const search of [
      `filters[${name}]=a`,
      `filters[articles][${name}]=a`,
      `filters[name][$${name}]=a`,
      `sort=${name}`,
      `fields=${name}`,
      `populate=${name}`,
      `populate[articles][${name}]=a`,
      `pagination[${name}]=1`,
      `pagination[page]=${name}`,
      `status=${name}`,
      `locale[0][a]=${name}`,
      `${name}=1`,
    ]) {
      const answer = await app.request('GET', `/api/authors?${search}`, { token: app.token })
      expect(answer.status).to.equal(400)
      expect(JSON.stringify(answer.body).length, search.slice(0, 40)).to.be.below(6000)
    }
  })
})
