import { randomBytes } from 'node:crypto'
import { PassThrough, Readable } from 'node:stream'
import { buffer, text } from 'node:stream/consumers'
import { setImmediate as turn } from 'node:timers/promises'
import { expect } from 'chai'
import { GridFSBucket, MongoClient, ObjectId } from 'mongodb'
import { createGridfsProvider } from '../../../server/upload/providers/gridfs.js'
import { testDatabaseUri } from '../../support/database.js'
import { describeProvider } from './describe-provider.js'

const about = { mime: 'application/octet-stream' }

const open = async () => {
  const client = await MongoClient.connect(await testDatabaseUri())
  const db = client.db()
  const close = async () => {
    await db.dropDatabase()
    await client.close()
  }
  return { db, close, provider: createGridfsProvider(db) }
}

describeProvider('gridfs', open)

describe('GridFS provider', () => {
  let opened: Awaited<ReturnType<typeof open>>
  beforeEach(async () => void (opened = await open()))
  afterEach(() => opened.close())

  const bytes = (name: string, content: Uint8Array) =>
    opened.provider.put(name, Readable.from([content]), about)
  const count = (part: string) => opened.db.collection(`_media.${part}`).countDocuments()

  it('stores files in the GridFS format, readable with the driver', async () => {
    const content = randomBytes(600_000)
    await bytes('a_0123456789.bin', content)
    const bucket = new GridFSBucket(opened.db, { bucketName: '_media' })
    expect(await buffer(bucket.openDownloadStreamByName('a_0123456789.bin'))).to.deep.equal(content)
    const [file] = await bucket.find({}).toArray()
    expect(file?.metadata).to.deep.equal({ mime: 'application/octet-stream' })
  })

  it('finds a file with an index and without sorting', async () => {
    await bytes('a.bin', randomBytes(10))
    const plan = await opened.db
      .collection('_media.files')
      .find({ filename: 'a.bin' }, { sort: { filename: -1, uploadDate: -1 } })
      .explain('queryPlanner')
    expect(JSON.stringify(plan)).to.include('IXSCAN').and.not.include('"SORT"')
  })

  it('serves the newer of two files with one name, and removes both', async () => {
    await bytes('a.bin', Buffer.from('older'))
    await bytes('a.bin', Buffer.from('newer'))
    const names = []
    for await (const { name, size } of opened.provider.list()) names.push([name, size])
    expect(names).to.deep.equal([['a.bin', 5]])
    const stream = await opened.provider.open('a.bin')
    expect(stream === undefined ? '' : await text(stream)).to.equal('newer')
    await opened.provider.remove('a.bin')
    expect([await count('files'), await count('chunks'), await count('begun')]).to.deep.equal([
      0, 0, 0,
    ])
  })

  it('removes the unfinished put of a killed process, but not one that is still in progress', async () => {
    const content = new PassThrough()
    const putting = opened.provider.put('a.bin', content, about)
    content.write(randomBytes(300_000))
    while ((await count('chunks')) === 0) await turn()
    expect(await opened.provider.removeUnfinished(60_000)).to.equal(0)
    // With a negative age, the put counts as abandoned. With `false`, it is only counted and not removed.
    for (let turn = 0; turn < 2; turn++)
      expect(await opened.provider.removeUnfinished(-60_000, false)).to.equal(1)
    expect(await opened.provider.removeUnfinished(-60_000)).to.equal(1)
    content.end()
    // When the put continues after its removal, it fails, and leaves nothing behind.
    expect(await putting.catch((error: unknown) => error)).to.have.property('status', 503)
    expect(await opened.provider.removeUnfinished(-60_000)).to.be.lessThan(2)
    expect([await count('files'), await count('chunks'), await count('begun')]).to.deep.equal([
      0, 0, 0,
    ])
  })

  it('keeps a put in progress even if the local clock is hours ahead', async () => {
    const content = new PassThrough()
    const putting = opened.provider.put('a.bin', content, about)
    content.write(randomBytes(300_000))
    while ((await count('chunks')) === 0) await turn()
    const { now } = Date
    Date.now = () => now() + 7_200_000
    try {
      expect(await opened.provider.removeUnfinished(3_600_000)).to.equal(0)
    } finally {
      Date.now = now
    }
    content.end()
    expect(await putting).to.equal(300_000)
  })

  it('refreshes the record of a put, so that one that takes hours is not removed', async () => {
    const content = new PassThrough()
    const putting = createGridfsProvider(opened.db, 30_000, 0).put('a.bin', content, about)
    content.write(randomBytes(300_000))
    while ((await count('chunks')) === 0) await turn()
    const longAgo = { $set: { at: new Date(0) } }
    await opened.db.collection('_media.begun').updateMany({}, longAgo)
    content.write(randomBytes(300_000))
    while ((await opened.provider.removeUnfinished(60_000, false)) > 0) await turn()
    content.end()
    expect(await putting).to.equal(600_000)
  })

  it('finishes an interrupted removal', async () => {
    await bytes('a.bin', randomBytes(600_000))
    const file = await opened.db.collection('_media.files').findOne()
    await opened.db
      .collection('_media.begun')
      .insertOne({ _id: file?._id ?? new ObjectId(), at: new Date(0), over: true })
    await opened.db.collection('_media.files').deleteMany()
    expect(await opened.provider.removeUnfinished(60_000)).to.equal(1)
    expect([await count('chunks'), await count('begun')]).to.deep.equal([0, 0])
  })

  it('fails with 503 and Retry-After if the database does not respond in time', async () => {
    const { db } = opened
    const late = createGridfsProvider(db, 1)
    const failure = await late
      .put('a.bin', Readable.from([randomBytes(3_000_000)]), about)
      .catch((error: unknown) => error)
    expect(failure).to.include({ status: 503 })
    expect(failure).to.have.deep.property('headers', { 'Retry-After': '1' })
    expect(failure).to.have.deep.property('details', { outcome: 'not-done' })
  })
})
