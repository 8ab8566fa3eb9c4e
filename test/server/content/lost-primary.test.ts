import { expect } from 'chai'
import { MongoClient } from 'mongodb'
import type { MongoMemoryReplSet } from 'mongodb-memory-server'
import { startReplicaSet } from '../../support/start-mongod.js'
import { connectDatabase } from '../../../server/database/connect.js'
import { isReplicaSet } from '../../support/database-server.js'
import { startApp } from '../../support/start-app.js'
import type { TestApp } from '../../support/test-app.js'
import type { Answer } from '../../support/request.js'

/** Failures by which a server shows that it is no longer the primary. */
const losses = {
  'steps down': { errorCode: 10107 },
  'closes the connection': { closeConnection: true },
} as const

describe('request while the primary is lost', () => {
  let set: MongoMemoryReplSet
  let admin: MongoClient
  let app: TestApp
  /**
   * Sets a lower `minHeartbeatFrequencyMS`. By default, a client waits for half a second before it looks for a new
   * primary.
   */
  let databaseUri: string
  before(async function () {
    // The embedded engine has neither elections nor `failCommand`.
    if (!isReplicaSet()) return this.skip()
    const args = ['--setParameter', 'enableTestCommands=1']
    set = await startReplicaSet({ replSet: { count: 1, args } })
    admin = await new MongoClient(set.getUri()).connect()
    databaseUri = `${set.getUri('lost')}&minHeartbeatFrequencyMS=50`
    app = await startApp({ databaseUri })
  })
  after(async () => {
    await app?.stop()
    await admin?.close()
    await set?.stop()
  })
  afterEach(() => fail('off'))

  const fail = async (mode: 'off' | 'alwaysOn' | { times: number }, data: object = {}) => {
    const what = { failCommands: commands, appName: 'quire', ...data }
    await admin.db('admin').command({ configureFailPoint: 'failCommand', mode, data: what })
  }
  const commands = ['find', 'aggregate', 'insert', 'update', 'findAndModify', 'delete']
  const send = (method: string, path: string, body?: object): Promise<Answer> =>
    app.request(method, `/api/${path}`, { token: app.token, ...(body && { body }) })
  const make = async (path: string, data: object = {}): Promise<string> => {
    const made = await send('POST', path, { data })
    expect(made.status, made.text).to.equal(201)
    return (made.body as { data: { documentId: string } }).data.documentId
  }
  const outcomeOf = ({ status, body }: Answer): unknown => {
    const { error } = body as { error?: { details: { outcome?: string; documentId?: string } } }
    return { status, ...error?.details }
  }

  for (const [name, loss] of Object.entries(losses))
    for (const times of [1, 3])
      it(`succeeds if the server ${name} (${times} times)`, async () => {
        const tag = await make('tags', { name: 'first' })
        const requests: readonly (readonly [number, () => Promise<Answer>])[] = [
          [200, () => send('GET', `tags/${tag}`)],
          [200, () => send('GET', 'tags?sort=name&pagination[pageSize]=2')],
          [201, () => send('POST', 'tags', { data: { name: 'new' } })],
          [200, () => send('PUT', `tags/${tag}`, { data: { color: '#ff0000' } })],
          [200, () => send('POST', 'tags/bulk', { operations: [{ op: 'create', data: {} }] })],
          [204, () => send('DELETE', `tags/${tag}`)],
        ]
        for (const [status, request] of requests) {
          await fail({ times }, loss)
          const answer = await request()
          expect(answer.status, `${String(request)} ${answer.text}`).to.equal(status)
        }
      })

  it('gets the server error from the driver if several raw reads fail at once', async () => {
    const uri = `${databaseUri}&retryReads=false`
    const client = await connectDatabase(uri, { appName: 'quire' })
    try {
      const tags = client.db().collection('tags')
      const read = () => tags.aggregate([], { raw: true }).toArray()
      await Promise.all(Array.from({ length: 4 }, read))
      // Blocks the responses for a while, so that all reads are sent before the first one fails.
      const later = { blockConnection: true, blockTimeMS: 200 }
      // Only commands to `tags` fail, because the service reads other collections at the same time.
      await fail({ times: 4 }, { ...losses['steps down'], ...later, namespace: 'lost.tags' })
      const reads = await Promise.allSettled(Array.from({ length: 4 }, read))
      const names = reads.map((one) => one.status === 'rejected' && (one.reason as Error).name)
      expect(names).to.deep.equal(Array.from({ length: 4 }, () => 'MongoServerError'))
    } finally {
      await client.close()
    }
  })

  it('reports the outcome of a create with a key, even if the key record cannot be updated', async () => {
    const create = (key: string, slug: string): Promise<Answer> => {
      const headers = { 'Idempotency-Key': key }
      const body = { data: { title: 'Rain', slug } }
      return app.request('POST', '/api/articles', { token: app.token, headers, body })
    }
    const keys = { namespace: 'lost._idempotency', failCommands: ['update', 'delete'] }
    for (const loss of Object.values(losses)) {
      await fail('alwaysOn', { ...loss, ...keys })
      const slug = Object.keys(loss).join().toLowerCase()
      const made = await create(`first-${slug}`, slug)
      expect(made.status, made.text).to.equal(201)
      const refused = await create(`second-${slug}`, slug)
      expect(refused.status, refused.text).to.equal(400)
    }
  })

  describe('without a new primary', () => {
    let impatient: TestApp
    before(async () => {
      const settings = { 'api.rest.writeTimeoutMs': 1500 }
      impatient = await startApp({ databaseUri, settings })
    })
    after(() => impatient?.stop())

    for (const [method, path, body] of [
      ['POST', 'tags', { data: { name: 'never' } }],
      ['POST', 'tags/bulk', { operations: [{ op: 'create', data: { name: 'never' } }] }],
      ['PUT', 'tags/nobody', { data: { name: 'never' } }],
      ['DELETE', 'tags/nobody', undefined],
    ] as const)
      it(`returns 503 with outcome not-done: ${method} ${path}`, async () => {
        await fail('alwaysOn', { errorCode: 10107, failCommands: ['find', 'aggregate', 'insert'] })
        const { token } = impatient
        const answer = await impatient.request(method, `/api/${path}`, { token, body })
        await fail('off')
        if (path.endsWith('bulk') && answer.status === 200)
          expect(answer.text).to.include('"outcome":"not-done"')
        else expect(outcomeOf(answer)).to.deep.equal({ status: 503, outcome: 'not-done' })
        const found = await send('GET', 'tags?filters[name]=never')
        expect(found.body).to.have.nested.property('data.length', 0)
      })

    it('returns 503 with outcome done and the documentId if only its response cannot be read', async () => {
      const author = await make('authors', { name: 'Ana' })
      const article = await make('articles', { title: 'Rain', author })
      await fail('alwaysOn', { errorCode: 10107, namespace: 'lost.authors' })
      const body = { data: { title: 'Snow' } }
      const answer = await send('PUT', `articles/${article}?populate=author`, body)
      expect(outcomeOf(answer)).to.deep.equal({
        ...{ status: 503, outcome: 'done', documentId: article },
      })
      await fail('off')
      const found = await send('GET', `articles/${article}`)
      expect(found.body).to.have.nested.property('data.title', 'Snow')
    })
  })
})
