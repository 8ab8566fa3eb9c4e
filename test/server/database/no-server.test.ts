import { expect } from 'chai'
import { loadConfig } from '../../../server/settings/config.js'
import { startQuire } from '../../../server/lifecycle/start.js'
import { startDatabaseServer } from '../../support/database-server.js'
import { sender } from '../../support/request.js'
import { conformanceModel } from '../../support/conformance-model.js'
import { Cleanup } from './cleanup.js'
import { startJournal } from './support.js'

describe('unreachable database server', function () {
  const cleanup = new Cleanup()
  afterEach(() => cleanup.run())

  it('causes 503 for a read that times out, with a message about the database instead of the query', async () => {
    const database = await startDatabaseServer()
    const folder = await cleanup.folder()
    const away = database.uriOf('away')
    const uri = `${away}${away.includes('?') ? '&' : '?'}serverSelectionTimeoutMS=1000`
    const env = {
      ...{ PORT: '0', HOST: '127.0.0.1', DATA_DIR: folder, SCHEMA_DIR: conformanceModel },
      ...{ MONGODB_URI: uri, API_REST_QUERY_TIMEOUT_MS: '4000' },
    }
    const quire = await startQuire(loadConfig(env, folder), { log: startJournal().log })
    cleanup.add(() => quire.stop())
    const draft = { name: 'away', description: '', type: 'full-access', permissions: [] } as const
    const { accessKey } = await quire.access.tokens.create({ ...draft, lifespan: null }, null)
    const send = sender(quire.url)
    expect(await send('GET', '/api/tags', { token: accessKey })).to.include({ status: 200 })
    await database.stop()
    const answers = await Promise.all(
      ['/api/tags', '/api/tags?filters[name]=a'].map((path) =>
        send('GET', path, { token: accessKey }),
      ),
    )
    for (const { status, body } of answers)
      expect({ status, body }).to.deep.equal({
        status: 503,
        body: {
          data: null,
          error: {
            ...{ status: 503, name: 'ServiceUnavailableError', details: {} },
            message: 'The database cannot be reached',
          },
        },
      })
  })
})
