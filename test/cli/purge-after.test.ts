import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { withDatabase } from '../../cli/with-database.js'
import { loadConfig } from '../../server/settings/config.js'
import { testDatabaseUri } from '../support/database.js'
import { purgeSecret, startPurgeServer } from '../support/purge-server.js'

describe('withDatabase', () => {
  it('purges all caches after a write to content, but not after reads or internal writes', async () => {
    const caches = await startPurgeServer()
    const folder = await mkdtemp(join(tmpdir(), 'quire-purge-'))
    try {
      const config = loadConfig(
        {
          MONGODB_URI: await testDatabaseUri(),
          HTTP_CACHE_PURGE_URL: caches.url,
          HTTP_CACHE_PURGE_SECRET: purgeSecret,
        },
        folder,
      )
      await withDatabase('test', async ({ db }) => db.collection('notes').findOne({}), config)
      const internal = { _id: 'one' as never, at: new Date() }
      await withDatabase(
        'test',
        async ({ db }) => db.collection('_instances').insertOne(internal),
        config,
      )
      expect(caches.taken).to.deep.equal([])
      const note = { documentId: 'n1' }
      await withDatabase('test', async ({ db }) => db.collection('notes').insertOne(note), config)
      expect(caches.taken).to.deep.equal([['quire']])
      await withDatabase('test', async ({ db }) => db.dropDatabase(), config)
    } finally {
      await caches.stop()
      await rm(folder, { recursive: true, force: true })
    }
  })
})
