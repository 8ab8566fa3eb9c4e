import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { expect } from 'chai'
import { MongoClient, type CommandStartedEvent, type Db } from 'mongodb'
import { pino } from 'pino'
import { ApiError } from '../../../engine/errors.js'
import { createLocalProvider } from '../../../server/upload/providers/local.js'
import { chooseProvider } from '../../../server/upload/providers/create-providers.js'
import type { StorageProvider } from '../../../server/upload/storage-provider.js'
import { openPendingContents } from '../../../server/upload/pending-contents.js'
import { prepareCollections } from '../../../engine/database/prepare-collections.js'
import { createRegistryFrom } from '../../../engine/schema/define/define-registry.js'
import { readSettings } from '../../../server/settings/read-settings.js'
import { testDatabaseUri } from '../../support/database.js'

const registry = createRegistryFrom([], 1)

describe('content without a settled entry', () => {
  let client: MongoClient
  let db: Db
  let root: string
  let local: StorageProvider
  beforeEach(async () => {
    client = await MongoClient.connect(await testDatabaseUri(), { monitorCommands: true })
    db = client.db()
    root = await mkdtemp(join(tmpdir(), 'quire-contents-'))
    local = createLocalProvider(root)
  })
  afterEach(async () => {
    await db.dropDatabase()
    await client.close()
    await rm(root, { recursive: true })
  })

  const open = (
    keepReplacedMs = 3_600_000,
    provider = local,
    now?: () => number,
    withinMs?: number,
  ) => {
    const settings = { ...readSettings({}, {}, []), 'upload.keepReplacedMs': keepReplacedMs }
    const services = { db, settings, log: pino({ level: 'silent' }), registry: () => registry }
    return openPendingContents(services, {
      ...{ providers: chooseProvider('local', [provider]), singleProcess: true },
      ...(now === undefined ? {} : { now }),
      ...(withinMs === undefined ? {} : { withinMs }),
    })
  }
  const content = (hash: string, ...further: readonly string[]) => ({
    ...{ hash, provider: 'local' },
    names: [`${hash}.txt`, ...further],
  })
  const put = async (...names: readonly string[]) => {
    for (const name of names)
      await local.put(name, Readable.from([Buffer.from(name)]), { mime: 'text/plain' })
  }
  const stored = async () => (await readdir(root)).sort()
  const records = () =>
    db.collection<{ _id: string }>('_contents').find().sort({ _id: 1 }).toArray()
  /** Makes all records older by a number of minutes. */
  const pass = (minutes: number) =>
    db
      .collection('_contents')
      .updateMany({}, [{ $set: { due: { $subtract: ['$due', minutes * 60_000] } } }])
  /**
   * Makes all records older by 75 minutes. They are then due, and even records whose content has an entry are deleted
   * by a sweep.
   */
  const wait = () => pass(75)

  it('has a record from before it is stored until its entry is written', async () => {
    const pending = await open().begin(content('a_0', 'small_a_0.txt'))
    const [record] = await records()
    const { hash: _id, ...about } = content('a_0', 'small_a_0.txt')
    expect(record).to.deep.include({ _id, ...about })
    await pending.hold()
    expect(await records()).to.have.length(1)
    await pending.settle()
    expect(await records()).to.deep.equal([])
  })

  it('is removed with its record when it is discarded', async () => {
    const pending = await open().begin(content('a_0', 'small_a_0.txt'))
    await put('a_0.txt', 'small_a_0.txt', 'b_0.txt')
    await pending.discard()
    await pending.discard()
    expect([await stored(), await records()]).to.deep.equal([['b_0.txt'], []])
  })

  it('stays after it is settled, even if discard is called', async () => {
    const pending = await open().begin(content('a_0'))
    await put('a_0.txt')
    await pending.settle()
    await pending.discard()
    expect(await stored()).to.deep.equal(['a_0.txt'])
  })

  it('is swept an hour after it was begun, and not sooner', async () => {
    const contents = open()
    const pending = await contents.begin(content('a_0'))
    await put('a_0.txt')
    await pass(55)
    expect(await contents.sweep()).to.equal(0)
    expect(await stored()).to.deep.equal(['a_0.txt'])
    await pass(6)
    expect(await contents.sweep()).to.equal(1)
    expect(await stored()).to.deep.equal([])
    pending.leave()
  })

  it('is removed by a sweep if it is due and no entry refers to it in that provider', async () => {
    const contents = open()
    for (const hash of ['kept_0', 'lost_0', 'moved_0'])
      (await contents.begin(content(hash))).leave()
    await put('kept_0.txt', 'lost_0.txt', 'moved_0.txt', 'other_0.txt')
    await db.collection('upload_files').insertMany([
      { hash: 'kept_0', provider: 'local' },
      { hash: 'moved_0', provider: 's3' },
    ])
    await wait()
    expect(await contents.sweep()).to.equal(2)
    expect([await stored(), await records()]).to.deep.equal([['kept_0.txt', 'other_0.txt'], []])
  })

  it('is looked up in the entries with an index that every start creates', async () => {
    await prepareCollections(db, registry)
    const contents = open()
    ;(await contents.begin(content('a_0'))).leave()
    await wait()
    const queries: CommandStartedEvent['command'][] = []
    client.on('commandStarted', ({ command }: CommandStartedEvent) => {
      if ((command as { find?: string }).find === 'upload_files') queries.push(command)
    })
    await contents.sweep()
    expect(queries).to.have.length(1)
    const { find, filter } = queries[0] as { find: string; filter: object }
    const plan = await db.command({ explain: { find, filter }, verbosity: 'queryPlanner' })
    expect(JSON.stringify(plan)).to.include('"indexName":"quire_hash+_id"')
  })

  it('is swept in several batches if there is much of it', async () => {
    const contents = open()
    const hashes = Array.from({ length: 230 }, (_, i) => `f${i}_0`)
    await db.collection<{ _id: string }>('_contents').insertMany(
      hashes.map((hash) => ({
        _id: hash,
        provider: 'local',
        names: [`${hash}.txt`],
        due: new Date(0),
      })),
    )
    await put('f0_0.txt', 'f229_0.txt')
    let batches = 0
    client.on('commandStarted', ({ command }: CommandStartedEvent) => {
      if ((command as { find?: string }).find === 'upload_files') batches += 1
    })
    expect(await contents.sweep()).to.equal(230)
    expect(batches).to.equal(3)
    expect([await stored(), await records()]).to.deep.equal([[], []])
  })

  it('is removed together with its variants', async () => {
    await put('a_0.txt', 'a_0_w400.txt', 'b_0_w400.txt')
    const variants = db.collection<{ _id: string; of: string; provider: string }>('_variants')
    await variants.insertMany([
      { _id: 'a_0_w400.txt', of: 'a_0', provider: 'local' },
      { _id: 'b_0_w400.txt', of: 'b_0', provider: 'local' },
    ])
    await open().remove(content('a_0'))
    expect(await stored()).to.deep.equal(['b_0_w400.txt'])
    expect((await variants.find().toArray()).map(({ _id }) => _id)).to.deep.equal(['b_0_w400.txt'])
  })

  it('is kept for upload.keepReplacedMs after it is superseded, and then swept', async () => {
    await put('a_0.txt')
    const contents = open(7 * 60_000)
    await contents.supersede(content('a_0'))
    await pass(5)
    expect(await contents.sweep()).to.equal(0)
    expect(await stored()).to.deep.equal(['a_0.txt'])
    await pass(3)
    expect(await contents.sweep()).to.equal(1)
    expect([await stored(), await records()]).to.deep.equal([[], []])
  })

  it('keeps its record if it is due while an entry still refers to it', async () => {
    const files = db.collection('upload_files')
    await files.insertOne({ hash: 'a_0', provider: 'local' })
    await put('a_0.txt')
    await open(0).supersede(content('a_0'))
    await pass(5)
    expect(await open(0).sweep()).to.equal(0)
    expect(await records()).to.have.length(1)
    await files.updateOne({ hash: 'a_0' }, { $set: { hash: 'b_0' } })
    expect(await open(0).sweep()).to.equal(1)
    expect([await stored(), await records()]).to.deep.equal([[], []])
  })

  it('keeps its record if it was superseded before it was settled', async () => {
    const contents = open()
    const pending = await contents.begin(content('a_0'))
    await contents.supersede(content('a_0'))
    await pending.settle()
    expect((await records()).map(({ _id }) => _id)).to.deep.equal(['a_0'])
  })

  it('keeps its record if removal fails, and is removed by a later sweep', async () => {
    const failing = { ...local, remove: () => Promise.reject(new Error('The disk fails')) }
    await put('a_0.txt')
    await open(0, failing).supersede(content('a_0'))
    await open(0, failing).remove(content('a_0'))
    await pass(1)
    expect(await open(0, failing).sweep()).to.equal(0)
    expect([await stored(), (await records()).length]).to.deep.equal([['a_0.txt'], 1])
    expect(await open().sweep()).to.equal(1)
    expect([await stored(), await records()]).to.deep.equal([[], []])
  })

  it('is left to a sweep if the store hangs, without more attempts by requests for a while', async () => {
    let attempts = 0
    const hanging: StorageProvider = {
      ...local,
      remove: (_name, signal) =>
        new Promise((_resolve, reject) => {
          attempts += 1
          signal?.addEventListener('abort', () => reject(new Error('It hangs')))
        }),
    }
    let now = 0
    const contents = open(0, hanging, () => now, 50)
    const pending = await contents.begin(content('b_0'))
    await put('a_0.txt', 'b_0.txt')
    await contents.supersede(content('a_0'))
    await contents.remove(content('a_0'))
    await pending.discard()
    now = 29_000
    await contents.remove(content('a_0'))
    expect(attempts).to.equal(1)
    now = 60_000
    await contents.remove(content('a_0'))
    expect(attempts).to.equal(2)
    await wait()
    expect(await open(0).sweep()).to.equal(2)
    expect([await stored(), await records()]).to.deep.equal([[], []])
  })

  it('keeps its record unchanged while its provider is not configured', async () => {
    const contents = open(0)
    await contents.supersede({ ...content('a_0'), provider: 's3' })
    await wait()
    const before = await records()
    expect(before).to.have.length(1)
    expect(await contents.sweep()).to.equal(0)
    expect(await records()).to.deep.equal(before)
  })

  it('can no longer get an entry after it was swept', async () => {
    let now = 0
    const contents = open(undefined, undefined, () => now)
    const pending = await contents.begin(content('a_0'))
    await put('a_0.txt')
    await wait()
    expect(await contents.sweep()).to.equal(1)
    now = 3_000_000
    const failure = await pending.hold().catch((error: unknown) => error)
    expect(failure).to.be.instanceOf(ApiError).and.have.property('code', 'unavailable')
    await pending.discard()
  })

  it('is renewed before its entry is written if the upload took long', async () => {
    let now = 0
    const contents = open(undefined, undefined, () => now)
    const pending = await contents.begin(content('a_0'))
    await wait()
    now = 3_000_000
    await put('a_0.txt')
    await pending.hold()
    expect(await contents.sweep()).to.equal(0)
    expect([await stored(), (await records()).length]).to.deep.equal([['a_0.txt'], 1])
    await pending.settle()
  })
})
