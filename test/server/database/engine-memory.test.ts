import { expect } from 'chai'
import type { Db } from 'mongodb'
import { startDatabaseHost } from '../../../server/database/host.js'
import { Cleanup } from './cleanup.js'
import { startJournal } from './support.js'

const megabyte = 2 ** 20

describe('memory settings of the embedded engine', () => {
  const cleanup = new Cleanup()
  afterEach(() => cleanup.run())

  const open = async (memory: Readonly<Record<string, number>>): Promise<Db> => {
    const dataDir = await cleanup.folder()
    const host = await startDatabaseHost({ dataDir, memory, log: startJournal().log })
    cleanup.add(() => host.stop())
    return (await cleanup.client(host.uri)).db('quire')
  }

  it('limit the cache to database.cacheSize', async () => {
    const cacheSize = 32 * megabyte
    const db = await open({ cacheSize })
    const { wiredTiger } = (await db.admin().command({ serverStatus: 1 })) as {
      wiredTiger: { cache: Record<string, number> }
    }
    expect(wiredTiger.cache['maximum bytes configured']).to.equal(cacheSize)
  })

  it('limit the memory of sorts to database.sortMemory, and larger sorts use the disk', async () => {
    const db = await open({ sortMemory: megabyte })
    const articles = db.collection<{ _id: number; body: string }>('articles')
    const ids = Array.from({ length: 2000 }, (_, n) => (n * 7919) % 2000)
    const body = 'x'.repeat(5000)
    await articles.insertMany(ids.map((n) => ({ _id: n, body: String(n).padStart(4, '0') + body })))
    const pipeline = [{ $sort: { body: 1 } }, { $limit: 1900 }]
    const sorted = await articles.aggregate<{ _id: number }>(pipeline).toArray()
    expect(sorted.map(({ _id }) => _id)).to.deep.equal(Array.from({ length: 1900 }, (_, n) => n))
    const plan = JSON.stringify(await articles.aggregate(pipeline).explain('executionStats'))
    expect(plan).to.include('"usedDisk":true')
  })
})
