import { expect } from 'chai'
import { testDatabaseUri } from '../../support/database.js'
import { isReplicaSet } from '../../support/database-server.js'
import { startApp } from '../../support/start-app.js'
import type { TestApp } from '../../support/test-app.js'
import { eventually } from '../database/support.js'

const schema = {
  'content-types/note.json': {
    kind: 'collectionType',
    info: { singularName: 'note', pluralName: 'notes', displayName: 'Note' },
    attributes: { n: { type: 'integer' } },
  },
}

describe('responses cached by several instances', () => {
  let one: TestApp
  let other: TestApp
  let databaseUri: string
  before(async () => {
    databaseUri = await testDatabaseUri()
    const settings = { 'cache.maxStaleMs': 30_000, 'metrics.enabled': true }
    one = await startApp({ schema, databaseUri, settings })
    other = await startApp({ schema, databaseUri, settings })
  })
  after(async () => {
    await one?.quire.services.db.dropDatabase()
    await other?.stop()
    await one?.stop()
  })

  const read = async (): Promise<string> =>
    (await one.request('GET', '/api/notes', { token: one.token })).text
  const hits = async (): Promise<number> => {
    const { text } = await one.request('GET', '/metrics')
    return Number(/^quire_answer_memory_hits_total (\d+)$/m.exec(text)?.[1])
  }
  /** Whether the second of two equal requests gets a cached response. */
  const isCached = async (): Promise<boolean> => {
    await read()
    const before = await hits()
    await read()
    return (await hits()) > before
  }

  it('are cached if there is a change stream, and replaced after writes of other instances', async function () {
    if (!isReplicaSet()) return this.skip()
    const post = (app: TestApp, n: number) =>
      app.request('POST', '/api/notes', { token: app.token, body: { data: { n } } })
    await post(other, 1)
    await eventually(isCached)
    // The change stream reports the write. Without it, the cached response would be returned until `cache.maxStaleMs`.
    for (const n of [2, 3, 4]) {
      expect((await post(other, n)).status).to.equal(201)
      await eventually(async () => (await read()).includes(`"n":${n}`), 20_000)
      await eventually(isCached)
    }
    expect((await post(one, 5)).status).to.equal(201)
    expect(await read()).to.include('"n":5')
    // The change stream also reports direct writes to the database.
    await one.quire.services.db.collection('notes').deleteMany({})
    expect(await read()).to.include('"data":[]')
  })

  it('are not cached without a change stream', async function () {
    if (isReplicaSet()) return this.skip()
    expect(await isCached()).to.equal(false)
  })
})
