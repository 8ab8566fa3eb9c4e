import { expect } from 'chai'
import { startDatabaseHost } from '../../server/database/host.js'
import { Cleanup, startJournal } from './support.js'

describe('The memory of the embedded engine', () => {
  const cleanup = new Cleanup()
  afterEach(() => cleanup.run())

  it('is what it is told to keep read data in (database.cacheSize)', async () => {
    const cacheSize = 33_554_432
    const dataDir = await cleanup.folder()
    const host = await startDatabaseHost({ dataDir, cacheSize, log: startJournal().log })
    cleanup.add(() => host.stop())
    const db = (await cleanup.client(host.uri)).db('admin')
    const { wiredTiger } = (await db.command({ serverStatus: 1 })) as {
      wiredTiger: { cache: Record<string, number> }
    }
    expect(wiredTiger.cache['maximum bytes configured']).to.equal(cacheSize)
  })
})
