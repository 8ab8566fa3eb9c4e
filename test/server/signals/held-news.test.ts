import { expect } from 'chai'
import type { Document } from 'mongodb'
import { eventually } from '../database/support.js'
import { testDatabaseUri } from '../../support/database.js'
import { isReplicaSet } from '../../support/database-server.js'
import type { HoldingProxy } from '../../support/holding-proxy.js'
import { startHoldingProxy } from '../../support/holding-proxy.js'
import type { TestApp } from '../../support/test-app.js'
import { startApp } from '../../support/start-app.js'
import { openStreams } from './open-streams.js'

describe('instance without signals from other instances', function () {
  this.timeout(120_000)
  let proxy: HoldingProxy
  let near: TestApp
  let far: TestApp
  before(async () => {
    const databaseUri = await testDatabaseUri()
    const uri = new URL(databaseUri)
    proxy = await startHoldingProxy(Number(uri.port))
    uri.port = String(proxy.port)
    // Without these changes, the driver would connect to the members directly, and not to the proxy.
    uri.searchParams.delete('replicaSet')
    uri.searchParams.set('directConnection', 'true')
    near = await startApp({ databaseUri })
    far = await startApp({ databaseUri: uri.href, settings: { 'api.rest.queryTimeoutMs': 3000 } })
  })
  after(async () => {
    proxy.go()
    await far?.stop()
    await near?.stop()
    proxy.close()
  })
  afterEach(() => proxy.go())

  const makeToken = async (name: string) => {
    const body = { name, description: '', type: 'read-only', lifespan: null }
    const made = await near.request('POST', '/admin/api-tokens', { token: near.adminJwt, body })
    return (made.body as { data: { id: number; accessKey: string } }).data
  }
  const revoke = (id: number) =>
    near.request('DELETE', `/admin/api-tokens/${id}`, { token: near.adminJwt })
  const read = (token: string) => far.request('GET', '/api/tags', { token })
  const status = async (token: string) => (await read(token)).status

  const useRevoked = async (id: number, accessKey: string) => {
    expect((await revoke(id)).status).to.equal(200)
    await new Promise((resolve) => setTimeout(resolve, 260))
    const answers = [read(accessKey), read(accessKey), read(accessKey)]
    return Promise.all(answers)
  }

  it('returns 503 while its connection hangs, and refuses the revoked token afterwards', async () => {
    const { id, accessKey } = await makeToken('cut off')
    await eventually(async () => (await status(accessKey)) === 200)
    proxy.hold()
    for (const answer of await useRevoked(id, accessKey)) {
      expect(answer.status).to.equal(503)
      expect(answer.headers.get('retry-after')).to.equal('1')
    }
    proxy.go()
    await eventually(async () => {
      const current = await status(accessKey)
      expect(current).to.be.oneOf([401, 503])
      return current === 401
    })
  })

  it('asks the database if only its change stream hangs', async function () {
    if (!isReplicaSet()) return this.skip()
    const { db } = near.quire.services
    const { client } = db
    const { id, accessKey } = await makeToken('silent')
    // Waits for two streams that are used. The server also lists abandoned streams, which no client reads.
    await eventually(async () => {
      const streams = await openStreams(client, db.databaseName)
      const isUsed = ({ lastAccessDate }: Document): boolean =>
        Date.now() - Number(lastAccessDate) < 2_000
      return streams.filter(isUsed).length >= 2
    })
    expect(await status(accessKey)).to.equal(200)
    // Holds back the change stream: its getMore commands contain this text.
    proxy.hold('$cmd.aggregate')
    for (const answer of await useRevoked(id, accessKey)) expect(answer.status).to.equal(401)
    proxy.go()
    const next = await makeToken('heard again')
    expect(await status(next.accessKey)).to.equal(200)
    for (const answer of await useRevoked(next.id, next.accessKey))
      expect(answer.status).to.equal(401)
  })
})
