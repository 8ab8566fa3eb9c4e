import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { MongoClient } from 'mongodb'
import sharp from 'sharp'
import { ApiError } from '../../../../engine/errors.js'
import { createPicturePool } from '../../../../server/upload/pictures/picture-pool.js'
import { createPictureSlots } from '../../../../server/upload/pictures/picture-slots.js'
import { chooseProvider } from '../../../../server/upload/providers/create-providers.js'
import { createLocalProvider } from '../../../../server/upload/providers/local.js'
import type { StorageProvider } from '../../../../server/upload/storage-provider.js'
import {
  openVariantStore,
  type FileRecord,
} from '../../../../server/upload/variants/variant-store.js'
import { eventually } from '../../database/support.js'
import { testDatabaseUri } from '../../../support/database.js'

describe('variant store', () => {
  const pool = createPicturePool({
    ...{ parallel: 1, queueLimit: 100, timeoutMs: 60_000, onDeath: () => undefined },
  })
  const picture = { hash: 'a_1', ext: '.png', mime: 'image/png', width: 60, height: 60 }
  let client: MongoClient
  let root: string
  let variants: ReturnType<typeof openVariantStore>
  let opened: number
  let openContent: () => void
  beforeEach(async () => {
    client = await MongoClient.connect(await testDatabaseUri())
    root = await mkdtemp(join(tmpdir(), 'quire-variants-'))
    const db = client.db()
    const local = createLocalProvider(join(root, 'stored'))
    const content = sharp({ create: { width: 60, height: 60, channels: 3, background: '#f00' } })
    await local.put('a_1.png', content.png(), { mime: 'image/png' })
    await db.collection<FileRecord>('files').insertOne(picture)
    opened = 0
    const open = new Promise<void>((resolve) => (openContent = resolve))
    const slow: StorageProvider = {
      ...local,
      open: async (...parameters) => {
        opened += 1
        await open
        return local.open(...parameters)
      },
    }
    variants = openVariantStore({
      ...{ db, providers: chooseProvider('local', [slow]), makePictures: pool.make },
      entries: () => db.collection<FileRecord>('files'),
      slots: createPictureSlots({ parallel: 1, queueLimit: 2 }),
      ...{ maxPixels: 1_000_000, directory: root },
    })
  })
  afterEach(async () => {
    await client.db().dropDatabase()
    await client.close()
    await rm(root, { recursive: true })
  })
  after(() => pool.destroy())

  const ask = (side: number, signal = new AbortController().signal) => {
    const size = { width: side, height: side }
    return variants.find(picture, { is: 'variant', format: 'png', size }, signal).then(
      () => 'drawn',
      (error: unknown) => (error instanceof ApiError ? error.code : (error as Error).message),
    )
  }
  const turn = () => new Promise((resolve) => setTimeout(resolve, 100))
  const beingDrawn = async () => (await readdir(root)).filter((name) => name !== 'stored')

  it('fetches a picture only when it has a slot, and rejects requests if the queue is full', async () => {
    const answers = Promise.all([1, 2, 3, 4, 5, 6].map((side) => ask(side)))
    await eventually(async () => opened === 1 && (await beingDrawn()).length === 1)
    await turn()
    expect([opened, (await beingDrawn()).length]).to.deep.equal([1, 1])
    openContent()
    expect((await answers).sort()).to.deep.equal([
      ...['drawn', 'drawn', 'drawn'],
      ...['unavailable', 'unavailable', 'unavailable'],
    ])
    expect([opened, await beingDrawn()]).to.deep.equal([3, []])
  })

  it('drops a queued variant when all its clients have disconnected, but not before', async () => {
    const [one, other] = [new AbortController(), new AbortController()]
    const first = ask(1)
    await eventually(() => opened === 1)
    const answers = Promise.all([ask(2, one.signal), ask(3, one.signal), ask(3, other.signal)])
    await turn()
    one.abort(new Error('The client disconnected'))
    await turn()
    const last = ask(4)
    openContent()
    expect(await answers).to.deep.equal(['The client disconnected', 'drawn', 'drawn'])
    expect([await first, await last, opened]).to.deep.equal(['drawn', 'drawn', 3])
  })
})
