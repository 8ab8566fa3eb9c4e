import { expect } from 'chai'
import { MongoMemoryServer } from 'mongodb-memory-server'
import { eventually } from './support.js'
import type { Answer } from '../../support/request.js'
import { pooledPath, readsByMode } from '../../support/reads-by-mode.js'
import type { TestApp } from '../../support/start-app.js'
import { startApp } from '../../support/start-app.js'

const withoutTotal = 'If counting takes long, leave the total out with pagination[withCount]=false'

describe('While a database that is not its own is frozen', function () {
  let database: MongoMemoryServer
  let app: TestApp
  before(async () => {
    database = await MongoMemoryServer.create()
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
  const told = ({ status, body }: Answer) => {
    const { error } = body as { error: { message: string; details: object } }
    return { status, message: error.message, details: error.details }
  }

  it('reads on the main thread and in the pool, and writes, are 503 when their time is over, and go on when it is back', async () => {
    const { request, token } = app
    const send = (method: string, path: string, name?: string): Promise<Answer> =>
      request(method, path, { token, ...(name === undefined ? {} : { body: { data: { name } } }) })
    // Two seconds for a write are few on a machine that has just started a service.
    const made: Answer[] = []
    await eventually(async () => {
      made.unshift(await send('POST', '/api/tags', `first ${made.length}`))
      return made[0]?.status === 201
    })
    const { documentId } = (made[0]?.body as { data: { documentId: string } }).data
    const path = `/api/tags/${documentId}`
    const freeze = async () => {
      // A thread of the worker pool runs, and has its connection.
      await eventually(async () => (await send('GET', pooledPath)).status === 200)
      // The credentials are confirmed, for the quarter of a second that this counts.
      await eventually(async () => (await send('GET', path)).status === 200)
      const { pool } = readsByMode(app.quire)
      signal('SIGSTOP')
      // The first write comes first, for the one connection that is sure to be there.
      const writes = ['a', 'b', 'c', 'd'].map((name) => send('PUT', path, name))
      const reads = [path, '/api/tags?sort=name', pooledPath].map((it) => send('GET', it))
      for (const answer of await Promise.all(reads)) {
        const { message, ...rest } = told(answer)
        expect(rest).to.deep.equal({ status: 503, details: {} })
        // Where the total was to be counted, a sentence says how to leave it out.
        const late = 'The query took longer than 1000 ms (api.rest.queryTimeoutMs)'
        expect(message).to.be.oneOf([late, `${late}. ${withoutTotal}`])
      }
      const pooled = readsByMode(app.quire).pool - pool
      const [first, ...others] = (await Promise.all(writes)).map(told)
      for (const other of others)
        expect(other).to.deep.equal({
          ...{ status: 503, details: { outcome: 'not-done' } },
          message: 'The write took longer than 2000 ms (api.rest.writeTimeoutMs). It was not done',
        })
      signal('SIGCONT')
      await eventually(async () => (await send('GET', path)).status === 200)
      await eventually(async () => (await send('GET', pooledPath)).status === 200)
      // Behind all that waits for the document.
      await eventually(async () => (await send('PUT', path, 'after')).status === 200)
      const found: Answer[] = []
      await eventually(
        async () => found.unshift(await send('GET', path)) > 0 && found[0]?.status === 200,
      )
      expect(found[0]?.body).to.have.nested.property('data.name', 'after')
      return { ...first, pooled }
    }
    // Where the machine took longer than that quarter, the first write and the read in the pool have not been begun.
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
