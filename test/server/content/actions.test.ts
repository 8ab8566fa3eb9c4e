import { expect } from 'chai'
import { errorBody, notFound } from '../../support/error-body.js'
import type { Magazine } from './magazine.js'
import { stable, startMagazine } from './magazine.js'

const badRequest = (message: string, details: object = {}) => ({
  status: 400,
  body: errorBody(400, 'ValidationError', message, details),
})
const missing = { status: 404, body: notFound }

describe('draft & publish actions', () => {
  let magazine: Magazine
  before(async () => {
    magazine = await startMagazine()
  })
  after(() => magazine.app.stop())

  const query = '?fields[0]=name&fields[1]=publishedAt'
  const request = async (method: string, path: string, data?: unknown) => {
    const { app, ids } = magazine
    const body = data === undefined ? {} : { body: { data } }
    const answer = await app.request(method, `/api${path}`, { token: app.token, ...body })
    return { status: answer.status, body: stable(answer.body, ids) }
  }
  const act = (action: string, more = '') =>
    request('POST', `/tags/${magazine.ids['wet']}/actions/${action}${query}${more}`)
  const wet = (name: string, publishedAt: '@time' | null) => ({
    status: 200,
    body: { data: { id: '#', documentId: '@wet', name, publishedAt }, meta: {} },
  })

  it('return the version that the action leaves, whatever status the query asks for', async () => {
    const path = `/tags/${magazine.ids['wet']}${query}`
    await request('PUT', `${path}&status=draft`, { name: 'moist' })
    expect(await act('discard-draft', '&status=published')).to.deep.equal(wet('wet', null))
    await request('PUT', `${path}&status=draft`, { name: 'damp' })
    expect(await act('publish', '&status=draft')).to.deep.equal(wet('damp', '@time'))
    expect(await request('GET', path)).to.deep.equal(wet('damp', '@time'))
    expect(await act('unpublish')).to.deep.equal(wet('damp', null))
    expect(await request('GET', path)).to.deep.equal(missing)
    expect(await act('unpublish')).to.deep.equal(wet('damp', null))
    expect(await act('discard-draft')).to.deep.equal(missing)
    expect(await act('publish')).to.deep.equal(wet('damp', '@time'))
  })

  it('reject publishing an invalid draft and keep the published version', async () => {
    const path = `/tags/${magazine.ids['cold']}`
    await request('PUT', `${path}?status=draft`, { color: 'blue' })
    const message = 'color must match the following: "/^#[0-9a-f]{6}$/"'
    const errors = [{ path: ['color'], message, name: 'ValidationError', value: 'blue' }]
    const publish = await request('POST', `${path}/actions/publish`)
    expect(publish).to.deep.equal(badRequest(message, { errors }))
    const { body } = await request('GET', `${path}?fields=color`)
    expect((body as { data: object }).data).to.deep.include({ color: null })
  })

  it('apply to the requested locale only, and return 404 if the document lacks it', async () => {
    const path = `/articles/${magazine.ids['rain']}/actions/unpublish`
    expect(await request('POST', `${path}?locale=fr`)).to.include({ status: 200 })
    expect(await request('GET', `/articles/${magazine.ids['rain']}`)).to.include({ status: 200 })
    expect(await request('GET', `/articles/${magazine.ids['rain']}?locale=fr`)).to.deep.equal(
      missing,
    )
    expect(
      await request('POST', `/articles/${magazine.ids['snow']}/actions/publish?locale=fr`),
    ).to.deep.equal(missing)
    expect(await request('POST', `${path}?locale=xx`)).to.deep.equal(
      badRequest('The locale "xx" is not configured'),
    )
  })

  it('return 404 for types without drafts, missing documents and unknown actions', async () => {
    for (const path of [
      `/authors/${magazine.ids['ana']}/actions/publish`,
      '/articles/none/actions/publish',
      '/homepage/actions/publish',
      `/articles/${magazine.ids['rain']}/actions/archive`,
    ])
      expect(await request('POST', path), path).to.deep.equal(missing)
  })

  it('work for single types', async () => {
    await request('PUT', '/homepage?status=draft', { heading: 'Hi' })
    expect(await request('GET', '/homepage')).to.deep.equal(missing)
    expect(await request('POST', '/homepage/actions/publish?fields=heading')).to.include({
      status: 200,
    })
    expect(await request('GET', '/homepage')).to.include({ status: 200 })
  })
})
