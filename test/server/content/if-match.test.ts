import { expect } from 'chai'
import { errorBody } from '../../support/error-body.js'
import type { Magazine } from './magazine.js'
import { startMagazine } from './magazine.js'

const failed = errorBody(
  412,
  'PreconditionFailedError',
  'The document was changed since it was read',
  {},
)

describe('If-Match', () => {
  let magazine: Magazine
  let path: string
  before(async () => {
    magazine = await startMagazine()
  })
  after(() => magazine.app.stop())
  beforeEach(async () => {
    const { app } = magazine
    const body = { data: { title: 'Hail' } }
    const made = await app.request('POST', '/api/articles', { token: app.token, body })
    path = `/api/articles/${(made.body as { data: { documentId: string } }).data.documentId}`
    await app.request('PUT', `${path}?locale=fr`, { token: app.token, body })
  })

  const tag = async (query = ''): Promise<string> => {
    const { app } = magazine
    const { headers } = await app.request('GET', path + query, { token: app.token })
    return headers.get('ETag') ?? ''
  }
  const send = async (method: 'PUT' | 'DELETE', ifMatch: string, query = '') => {
    const { app } = magazine
    const { status, body } = await app.request(method, path + query, {
      token: app.token,
      ...(method === 'PUT' ? { body: { data: { title: 'Sleet' } } } : {}),
      headers: { 'If-Match': ifMatch },
    })
    if (status === 412) expect(body).to.deep.equal(failed)
    return status
  }

  it('lets one of two concurrent writers through and returns 412 to the other', async () => {
    const read = await tag()
    const statuses = await Promise.all([send('PUT', read), send('PUT', read)])
    expect(statuses.sort()).to.deep.equal([200, 412])
    expect(await send('DELETE', read)).to.equal(412)
    expect(await send('DELETE', await tag())).to.equal(204)
    expect(await send('DELETE', read)).to.equal(412)
  })

  it('compares only the revision, regardless of selected fields and weak tags', async () => {
    expect(await send('PUT', await tag('?fields=title&populate=*'))).to.equal(200)
    expect(await send('PUT', `W/${await tag()}`)).to.equal(200)
    expect(await send('PUT', '*')).to.equal(200)
  })

  it('compares with the version of the status and locale that the write addresses', async () => {
    const [published, draft, french] = [
      await tag(),
      await tag('?status=draft'),
      await tag('?locale=fr'),
    ]
    expect(await send('PUT', draft, '?status=draft')).to.equal(200)
    expect(await send('PUT', draft, '?status=draft')).to.equal(412)
    expect(await send('PUT', published)).to.equal(200)
    expect(await send('PUT', published, '?locale=fr')).to.equal(412)
    expect(await send('PUT', french, '?locale=fr')).to.equal(200)
  })

  it('returns 412 for a value that is not the ETag of a document', async () => {
    const list = await magazine.app.request('GET', '/api/articles', { token: magazine.app.token })
    for (const other of [
      list.headers.get('ETag') ?? '',
      'x',
      '""',
      '"1-x"',
      (await tag()).slice(1),
    ])
      expect(await send('PUT', other), other).to.equal(412)
  })
})
