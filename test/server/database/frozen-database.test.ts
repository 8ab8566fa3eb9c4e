import { expect } from 'chai'
import type { MongoMemoryServer } from 'mongodb-memory-server'
import { startMongod } from '../../support/start-mongod.js'
import { eventually } from './support.js'
import type { Answer } from '../../support/request.js'
import { pooledPath, readsByMode } from '../../support/reads-by-mode.js'
import type { TestApp } from '../../support/test-app.js'
import { startApp } from '../../support/start-app.js'

const withoutTotal = 'If counting takes long, leave the total out with pagination[withCount]=false'

describe('frozen external database', function () {
  let database: MongoMemoryServer
  let app: TestApp
  before(async () => {
    database = await startMongod()
    const databaseUri = `${database.getUri('frozen')}?retryWrites=false`
    const settings = { 'api.rest.queryTimeoutMs': 1000, 'api.rest.writeTimeoutMs': 2000 }
    app = await startApp({ databaseUri, settings })
  })
  after(async () => {
    signal('SIGCONT')
    await app.stop()
    await database.stop()
  })

  const signal = (name: NodeJS.Signals): void =>
    void process.kill(database.instanceInfo?.instance.mongodProcess?.pid ?? 0, name)
  const errorOf = ({ status, body }: Answer) => {
    const { error } = body as { error: { message: string; details: object } }
    return { status, message: error.message, details: error.details }
  }

  it('causes 503 after the timeout of reads and writes, which succeed again when it continues', async () => {
    const { request, token } = app
    const send = (method: string, path: string, name?: string): Promise<Answer> =>
      request(method, path, { token, ...(name === undefined ? {} : { body: { data: { name } } }) })
    // Repeats the write, because the timeout of two seconds may be too short right after the service has started.
    const made: Answer[] = []
    await eventually(async () => {
      made.unshift(await send('POST', '/api/tags', `first ${made.length}`))
      return made[0]?.status === 201
    })
    const { documentId } = (made[0]?.body as { data: { documentId: string } }).data
    const path = `/api/tags/${documentId}`
    const freeze = async () => {
      // Starts a worker thread and opens its connection.
      await eventually(async () => (await send('GET', pooledPath)).status === 200)
      // Makes the service cache the credentials for a quarter of a second.
      await eventually(async () => (await send('GET', path)).status === 200)
      const { pool } = readsByMode(app.quire)
      signal('SIGSTOP')
      // Only one connection is certainly open, and the first write gets it. So only this write can have an unknown
      // outcome.
      const writes = ['a', 'b', 'c', 'd'].map((name) => send('PUT', path, name))
      const reads = [path, '/api/tags?sort=name', pooledPath].map((it) => send('GET', it))
      for (const answer of await Promise.all(reads)) {
        const { message, ...rest } = errorOf(answer)
        expect(rest).to.deep.equal({ status: 503, details: {} })
        // If the query counts a total, the message also says how to leave the total out.
        const late = 'The query took longer than 1000 ms (api.rest.queryTimeoutMs)'
        expect(message).to.be.oneOf([late, `${late}. ${withoutTotal}`])
      }
      const pooled = readsByMode(app.quire).pool - pool
      const [first, ...others] = (await Promise.all(writes)).map(errorOf)
      for (const other of others)
        expect(other).to.deep.equal({
          ...{ status: 503, details: { outcome: 'not-done' } },
          message: 'The write took longer than 2000 ms (api.rest.writeTimeoutMs). It was not done',
        })
      signal('SIGCONT')
      await eventually(async () => (await send('GET', path)).status === 200)
      await eventually(async () => (await send('GET', pooledPath)).status === 200)
      // Succeeds once all earlier writes of the document have ended.
      await eventually(async () => (await send('PUT', path, 'after')).status === 200)
      const found: Answer[] = []
      await eventually(
        async () => found.unshift(await send('GET', path)) > 0 && found[0]?.status === 200,
      )
      expect(found[0]?.body).to.have.nested.property('data.name', 'after')
      return { ...first, pooled }
    }
    // Repeats, because on a slow machine, the cached credentials can expire, so that the first write and the pooled
    // read do not start.
    const first: unknown[] = []
    await eventually(async () => {
      const frozen = await freeze()
      const { pooled, details } = frozen
      first.unshift(frozen)
      return pooled > 0 && (details as { outcome: string }).outcome !== 'not-done'
    })
    expect(first[0]).to.deep.include({ status: 503, details: { outcome: 'unknown' }, pooled: 1 })
  })
})
