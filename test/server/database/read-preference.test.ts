import { expect } from 'chai'
import { MongoClient } from 'mongodb'
import type { MongoMemoryReplSet } from 'mongodb-memory-server'
import { startReplicaSet } from '../../support/start-mongod.js'
import { isReplicaSet } from '../../support/database-server.js'
import { startApp } from '../../support/start-app.js'
import type { TestApp } from '../../support/test-app.js'
import { eventually } from './support.js'

const tagged = { replicaMemberConfig: { tags: { which: 'late' }, priority: 0 } }

describe('lagging secondary that the URI prefers', function () {
  this.timeout(180_000)
  let set: MongoMemoryReplSet | undefined
  let late: MongoClient | undefined
  let app: TestApp
  before(async function () {
    // The embedded engine does not support replica sets.
    if (!isReplicaSet()) return this.skip()
    set = await startReplicaSet({
      // Turns off chaining, so that the other secondary does not replicate from the lagging one.
      replSet: { count: 3, configSettings: { chainingAllowed: false } },
      instanceOpts: [{}, {}, tagged],
    })
    const uri = `${set.getUri('late')}&readPreference=secondary&readPreferenceTags=which:late`
    app = await startApp({
      databaseUri: uri,
      schema: {
        'content-types/note.json': {
          kind: 'collectionType',
          info: { singularName: 'note', pluralName: 'notes', displayName: 'Note' },
          options: { draftAndPublish: true },
          attributes: { title: { type: 'string' } },
        },
      },
      settings: { 'http.trustProxy': '1', 'database.ownWritesMs': 60_000 },
    })
    const third = set.servers[2]
    late = await new MongoClient(third?.getUri() ?? '', { directConnection: true }).connect()
  })
  after(async () => {
    await late
      ?.db('admin')
      .command({ fsyncUnlock: 1 })
      .catch(() => undefined)
    await late?.close()
    await app?.stop()
    await set?.stop()
  })

  const token = () => ({ token: app.token })

  it('serves other clients its old data, but each writer their own writes', async () => {
    const made = await app.request('POST', '/api/notes', {
      ...token(),
      body: { data: { title: 'a' } },
    })
    expect(made.status).to.equal(201)
    const path = `/api/notes/${(made.body as { data: { documentId: string } }).data.documentId}`
    const other = { ...token(), headers: { 'X-Forwarded-For': '203.0.113.7' } }
    // Waits until this secondary has the write. The write itself only waits for a majority, which may not include this
    // secondary.
    await eventually(async () => (await app.request('GET', path, other)).status === 200)
    await late?.db('admin').command({ fsync: 1, lock: true })
    for (const title of ['b', 'c']) {
      const put = await app.request('PUT', path, { ...token(), body: { data: { title } } })
      expect(put.body, put.text).to.have.nested.property('data.title', title)
      const own = await app.request('GET', path, token())
      expect(own.body).to.have.nested.property('data.title', title)
      const others = await app.request('GET', path, other)
      expect(others.body).to.have.nested.property('data.title', 'a')
    }
    const published = await app.request('POST', '/api/notes', {
      ...token(),
      body: { data: { title: 'd' } },
    })
    expect(published.status).to.equal(201)
  })
})
