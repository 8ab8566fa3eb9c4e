import { expect } from 'chai'
import { errorBody } from '../../support/error-body.js'
import { startApp } from '../../support/start-app.js'

describe('Quire-Ignored header', () => {
  it('lists ignored keys next to data, and in bodies of roles and API tokens', async () => {
    const app = await startApp()
    try {
      const ignored = async (method: string, path: string, body: object, token = app.token) => {
        const { status, headers } = await app.request(method, path, { token, body })
        return [status, headers.get('quire-ignored')]
      }
      const article = { data: { title: 'x' }, zz: 1, meta: {}, status: 'published' }
      expect(await ignored('POST', '/api/articles', article)).to.deep.equal([201, 'zz, meta'])
      const roles = '/api/users-permissions/roles'
      const role = { name: 'Editor', nonsense: 1, users: [] }
      expect(await ignored('POST', roles, role)).to.deep.equal([200, 'nonsense, users'])
      expect(await ignored('PUT', `${roles}/1`, { nonsense: 1 })).to.deep.equal([200, 'nonsense'])
      const tokens = '/admin/api-tokens'
      const made = { name: 'key', type: 'read-only', nope: 1 }
      expect(await ignored('POST', tokens, made, app.adminJwt)).to.deep.equal([201, 'nope'])
      const list = await app.request('GET', tokens, { token: app.adminJwt })
      const [first] = (list.body as { data: { id: number }[] }).data
      const change = { name: 'other', nope: 1 }
      expect(
        await ignored('PUT', `${tokens}/${String(first?.id)}`, change, app.adminJwt),
      ).to.deep.equal([200, 'nope'])
    } finally {
      await app.stop()
    }
  })

  it('accepts 1,000 unknown keys and returns 400 for more', async () => {
    const app = await startApp()
    const keys = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`unknown${at}`, 1]))
    const create = (count: number) =>
      app.request('POST', '/api/articles', {
        token: app.token,
        body: { data: { title: 'x' }, ...keys(count) },
      })
    try {
      const accepted = await create(1000)
      expect(accepted.status).to.equal(201)
      expect(accepted.headers.get('quire-ignored')).to.match(/, \.\.\. and \d+ more$/)
      const refused = await create(1001)
      expect([refused.status, refused.body]).to.deep.equal([
        400,
        errorBody(
          400,
          'ValidationError',
          'The number of unknown keys and parameters exceeds the limit of 1000 (unknown names)',
          {},
        ),
      ])
    } finally {
      await app.stop()
    }
  })
})
