import { expect } from 'chai'
import {
  Binary,
  Decimal128,
  Double,
  GridFSBucket,
  Int32,
  Long,
  ObjectId,
  type CommandStartedEvent,
  type Db,
} from 'mongodb'
import { pipeline } from 'node:stream/promises'
import { Readable } from 'node:stream'
import { contentSum } from '../../../cli/database/content-sum.js'
import { copyDatabase, type CopySide } from '../../../cli/database/copy-database.js'
import { resolveEnd } from '../../../cli/database/open-end.js'
import {
  copyProgressCollection,
  refuseHalfCopied,
  type CopyProgress,
} from '../../../server/database/half-copied.js'
import { loadConfig } from '../../../server/settings/config.js'
import { testDatabaseUri } from '../../support/database.js'
import { Cleanup } from './cleanup.js'

const writing = new Set(['create', 'insert', 'update', 'delete', 'createIndexes', 'drop'])

type Any = { _id: string | number } & Record<string, unknown>

describe('copyDatabase', () => {
  const cleanup = new Cleanup()
  afterEach(() => cleanup.run())

  const emptyEnd = async (name: string): Promise<CopySide> => {
    const client = await cleanup.client(`${await testDatabaseUri()}&monitorCommands=true`)
    cleanup.add(() => client.db().dropDatabase())
    return { db: client.db(), name, singleProcess: false }
  }

  const fill = async (db: Db, many: number): Promise<void> => {
    const articles = db.collection<Any>('articles')
    const values = [
      { int: new Int32(7), double: new Double(7), long: Long.fromString('9007199254740993') },
      { decimal: Decimal128.fromString('1.10'), at: new Date(0), zero: new Double(-0) },
      { bytes: new Binary(Buffer.from([1, 2, 3]), 5), list: [null, [], {}], 2: 'two', 1: 'one' },
      { pattern: /a.b/i, nothing: null, big: 2 ** 53, text: 'Ünï\u0000code' },
    ]
    const ids = [new Int32(1), new Double(2.5), Long.fromString('3'), 'text', new ObjectId(), true]
    await articles.insertMany(
      ids.map((_id, i) => ({ _id: _id as never, ...values[i % values.length] })),
    )
    await articles.insertMany(
      Array.from({ length: many }, (_, i) => ({ _id: i + 10, slug: `s${i}` })),
    )
    await articles.createIndexes([
      { key: { slug: 1 }, unique: true, partialFilterExpression: { slug: { $gte: '' } } },
      { key: { int: 1, _id: -1 }, name: 'quire_int' },
    ])
    await db.createCollection('empty')
    await db.collection('empty').createIndex({ a: 1 })
    await db.collection<Any>('_settings').insertOne({ _id: 'format', value: 3 })
    const bucket = new GridFSBucket(db, { bucketName: '_media', chunkSizeBytes: 1_000 })
    await pipeline(Readable.from([Buffer.alloc(4_500, 7)]), bucket.openUploadStream('a.bin'))
  }

  const indexesOf = async (db: Db, name: string) => {
    const indexes = (await db.collection(name).listIndexes().toArray()) as { name: string }[]
    return indexes.toSorted((a, b) => a.name.localeCompare(b.name))
  }
  const stateOf = async (db: Db) => {
    const names = (await db.listCollections({}, { nameOnly: true }).toArray()).map((it) => it.name)
    const collections = names.filter((name) => name !== copyProgressCollection).toSorted()
    return Promise.all(
      collections.map(async (name) => ({
        ...{ name, ...(await contentSum(db.collection(name))) },
        indexes: await indexesOf(db, name),
      })),
    )
  }

  /** Makes the nth write to a database fail before it is sent. */
  const interruptAt = ({ client }: Db, nth: number) => {
    let writes = 0
    const note = ({ commandName }: CommandStartedEvent) => {
      if (!writing.has(commandName)) return
      writes += 1
      if (writes === nth) throw new Error('cut off')
    }
    client.on('commandStarted', note)
    return { writes: () => writes, stop: () => client.off('commandStarted', note) }
  }

  const failureOf = (copying: Promise<unknown>) =>
    copying.then(
      () => '',
      ({ message }: Error) => message,
    )

  it('copies every document byte for byte, every index and every file', async () => {
    const [source, target] = [await emptyEnd('there'), await emptyEnd('here')]
    await fill(source.db, 1_200)
    const report = await copyDatabase(source, target)
    expect(report).to.deep.equal({ kind: 'copied', collections: 5, documents: 1_213 })
    const state = await stateOf(source.db)
    expect(state.map(({ name, count }) => [name, count])).to.deep.equal([
      ['_media.chunks', 5],
      ['_media.files', 1],
      ['_settings', 1],
      ['articles', 1_206],
      ['empty', 0],
    ])
    expect(await stateOf(target.db)).to.deep.equal(state)
    await refuseHalfCopied(target.db)
  })

  it('continues after an interruption at any write, without duplicates', async () => {
    const source = await emptyEnd('there')
    await fill(source.db, 600)
    const state = await stateOf(source.db)
    let isDone = false
    for (let last = 1; !isDone; last += 1) {
      const target = await emptyEnd('here')
      const cut = interruptAt(target.db, last)
      const failure = await failureOf(copyDatabase(source, target))
      cut.stop()
      isDone = failure === ''
      if (!isDone) {
        expect(failure).to.equal('cut off')
        // No service may start on the target between the first write and the comparison at the end of the copy.
        const note = await target.db
          .collection<CopyProgress>(copyProgressCollection)
          .findOne({ _id: 'copy' })
        const isServed = (await failureOf(refuseHalfCopied(target.db))) === ''
        expect(isServed).to.equal(note === null || note.finishedAt !== undefined)
        if (last > 1) expect(note).to.include({ from: 'there' })
        await copyDatabase(source, target)
      }
      expect(await stateOf(target.db), `cut off at write ${last}`).to.deep.equal(state)
      await refuseHalfCopied(target.db)
      if (isDone) expect(cut.writes()).to.be.greaterThan(20)
    }
  })

  it('contains the writes to the source between an interrupted run and the next', async () => {
    const [source, target] = [await emptyEnd('there'), await emptyEnd('here')]
    await fill(source.db, 600)
    const cut = interruptAt(target.db, 21)
    expect(await failureOf(copyDatabase(source, target))).to.equal('cut off')
    cut.stop()
    const articles = source.db.collection<Any>('articles')
    await articles.updateOne({ _id: 12 }, { $set: { slug: 'changed' } })
    await articles.deleteOne({ _id: 13 })
    await source.db.collection<Any>('later').insertOne({ _id: 1 })
    await source.db.collection('_settings').drop()
    await copyDatabase(source, target)
    expect(await stateOf(target.db)).to.deep.equal(await stateOf(source.db))
  })

  it('continues after an interruption while it drops a collection', async () => {
    const [source, target] = [await emptyEnd('there'), await emptyEnd('here')]
    await fill(source.db, 1)
    const first = interruptAt(target.db, 21)
    expect(await failureOf(copyDatabase(source, target))).to.equal('cut off')
    first.stop()
    await source.db.collection('_settings').drop()
    // The first two writes of the next run drop the copy of `_settings` and the record of its progress.
    for (const nth of [1, 2]) {
      const cut = interruptAt(target.db, nth)
      expect(await failureOf(copyDatabase(source, target))).to.equal('cut off')
      cut.stop()
    }
    await copyDatabase(source, target)
    expect(await stateOf(target.db)).to.deep.equal(await stateOf(source.db))
  })

  it('rejects a target that is not empty', async () => {
    const [source, other] = [await emptyEnd('there'), await emptyEnd('elsewhere')]
    await fill(source.db, 1)
    await fill(other.db, 2)
    expect(await failureOf(copyDatabase(source, other))).to.equal(
      'elsewhere already contains 5 collections (_media.chunks, _media.files, _settings, articles, empty). ' +
        'The target of a copy must be an empty database.',
    )
    const target = await emptyEnd('here')
    await copyDatabase(source, target)
    expect(await copyDatabase(source, target)).to.have.property('kind', 'was-copied')
    await target.db.collection<Any>('articles').deleteOne({ _id: 10 })
    const notEmpty =
      'here already contains a copy of there. The target of a copy must be an empty database.'
    expect(await failureOf(copyDatabase(source, target))).to.equal(notEmpty)
    expect(await failureOf(copyDatabase(other, target))).to.equal(notEmpty)
  })

  it('rejects an empty source and one that a service writes to', async () => {
    const [source, target] = [await emptyEnd('there'), await emptyEnd('here')]
    expect(await failureOf(copyDatabase(source, target))).to.equal(
      'there is empty, so there is nothing to copy.',
    )
    await fill(source.db, 1)
    const instance = { _id: 'one', pid: 77, host: 'web-1', seenAt: new Date() }
    await source.db.collection<Any>('_instances').insertOne(instance)
    expect(await failureOf(copyDatabase(source, target))).to.equal(
      'A service uses there (process 77 on web-1), and the copy would not contain its further writes. Stop it first.',
    )
    expect(await stateOf(target.db)).to.deep.equal([])
    // An exclusive source has at most one process, and that cannot run during the copy. So the instance record is that
    // of a killed process.
    await copyDatabase({ ...source, singleProcess: true }, target)
    expect(await stateOf(target.db)).to.have.lengthOf(6)
  })
})

describe('resolveEnd', () => {
  const config = loadConfig({ MONGODB_URI: 'mongodb://db.example/site' }, '/nowhere')
  const withMongod = loadConfig({ DATABASE_MONGOD: '/opt/mongod' }, '/nowhere')

  it('returns the configured database, an engine in DATA_DIR, a URI or a URI from the environment', () => {
    const uri = 'mongodb://ana:secret@db.example/site'
    expect(resolveEnd(config, undefined)).to.include({ uri: 'mongodb://db.example/site' })
    expect(resolveEnd(withMongod, undefined)).to.deep.include({ mongod: '/opt/mongod' })
    expect(resolveEnd(config, 'embedded')).to.deep.equal({ mongod: '' })
    expect(resolveEnd(config, 'mongod')).to.deep.equal({ mongod: 'auto' })
    expect(resolveEnd(withMongod, 'mongod')).to.deep.equal({ mongod: '/opt/mongod' })
    expect(resolveEnd(config, uri)).to.deep.equal({ uri })
    expect(resolveEnd(config, 'env:TARGET', { TARGET: uri })).to.deep.equal({ uri })
    expect(() => resolveEnd(config, 'env:TARGET', {})).to.throw(
      'The environment variable TARGET does not contain a URI',
    )
    expect(() => resolveEnd(config, 'mongodb')).to.throw('--from and --to must be')
  })
})
