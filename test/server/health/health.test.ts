import { expect } from 'chai'
import { healthRoutes } from '../../../server/health/routes.js'
import { startHttp, type RunningHttp } from '../../support/start-http.js'

describe('healthRoutes', () => {
  let http: RunningHttp
  let ping: () => Promise<unknown> = () => Promise.resolve()
  let closing = false
  let loading: string | undefined
  const probes = {
    pingDatabase: () => ping(),
    closing: () => closing,
    loading: () => loading,
  }
  before(async () => {
    const routes = healthRoutes({ ...probes, reference: 'public' })
    http = await startHttp({ routes })
  })
  after(() => http.stop())

  it('return 204 at /_health while the process runs', async () => {
    for (const method of ['GET', 'HEAD']) {
      const answer = await http.send(method, '/_health')
      expect(answer.status).to.equal(204)
      expect(answer.text).to.equal('')
      expect(answer.headers.get('content-type')).to.equal(null)
    }
    expect((await http.send('POST', '/_health')).status).to.equal(405)
  })

  it('return 200 at /_ready while the database responds', async () => {
    expect((await http.send('GET', '/_ready')).status).to.equal(200)
  })

  it('return 503 at /_ready if the database does not respond or the service shuts down', async () => {
    ping = () => Promise.reject(new Error('secret detail'))
    const withoutDatabase = await http.send('GET', '/_ready')
    expect(withoutDatabase.status).to.equal(503)
    expect(withoutDatabase.headers.get('retry-after')).to.equal('1')
    expect(withoutDatabase.headers.get('cache-control')).to.equal('no-store')
    expect(withoutDatabase.body).to.have.nested.property(
      'error.message',
      'The database cannot be reached',
    )
    ping = () => Promise.resolve()
    closing = true
    const shuttingDown = await http.send('GET', '/_ready')
    expect(shuttingDown.status).to.equal(503)
    expect(shuttingDown.headers.get('retry-after')).to.equal('1')
    closing = false
  })

  it('return 503 with the reason at /_ready while content is loaded', async () => {
    loading = 'The content is being loaded'
    const answer = await http.send('GET', '/_ready')
    loading = undefined
    expect(answer.status).to.equal(503)
    expect(answer.headers.get('retry-after')).to.equal('1')
    expect(answer.body).to.have.nested.property('error.message', 'The content is being loaded')
  })

  it('serve a page at / with links to the documentation', async () => {
    const answer = await http.send('GET', '/')
    expect(answer.status).to.equal(200)
    expect(answer.headers.get('content-type')).to.equal('text/html; charset=utf-8')
    expect(answer.headers.get('content-security-policy')).to.match(/^default-src 'none'/)
    expect(answer.text).to.include('<h1>Quire</h1>')
    expect(answer.text).to.include('<code>node_modules/quire-content/docs</code>')
    for (const path of ['/documentation', '/documentation/openapi.json'])
      expect(answer.text).to.include(`<a href="${path}">`)
  })

  it('omit the link to the OpenAPI document if only admins may read it', async () => {
    const closed = await startHttp({ routes: healthRoutes({ ...probes, reference: 'admins' }) })
    const { text } = await closed.send('GET', '/')
    await closed.stop()
    expect(text).to.include('<a href="/documentation">').and.not.include('openapi.json')
    expect(text).to.include('which admins and full-access tokens may read')
  })
})
