import { expect } from 'chai'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Db, Document } from 'mongodb'
import { createRegistryFrom } from '../../engine/schema/define-registry.js'
import { runRepair } from '../../server/repair/run-repair.js'
import { readDefinitions } from '../../server/content-types/definition-store.js'
import { sourced } from '../../server/content-types/merge-definitions.js'
import { connectDatabase } from '../../server/database/connect.js'
import { wronglyListed } from '../engine/write/listed-references.js'
import { CrashLoad, crashModel } from '../server/database/crash-load.js'
import type { Send } from '../server/database/crash-load.js'
import { testDatabaseUri } from '../support/database.js'
import { sender } from '../support/request.js'
import { runService } from '../support/service-process.js'
import { startApp, testSecrets } from '../support/start-app.js'

const documents = 100_000
const kills = 10
const inserted = 5_000

describe(`A database of format 1 with ${documents} documents, carried over under load`, function () {
  this.timeout(1_800_000)
  const load = new CrashLoad()
  let databaseUri: string
  let folder: string
  let token: string
  let db: Db
  let close: () => Promise<void>
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'quire-carry-over-'))
    databaseUri = await testDatabaseUri()
    const app = await startApp({ databaseUri, schema: crashModel })
    token = app.token
    const write = writerTo(app.url)
    await load.prepare(write)
    const labels: string[] = []
    for (let n = 0; n < 20; n += 1)
      labels.push(documentIdOf((await write('POST', 'labels', {})).body))
    await write('POST', 'albums', { code: 'model', labels })
    await app.stop()
    const client = await connectDatabase(databaseUri, { appName: 'test' })
    db = client.db()
    close = () => client.close()
    await multiply(labels)
    for (const name of ['albums', 'albums.draft', 'labels', 'labels.draft'])
      await db.collection(name).updateMany({}, { $unset: { _refs: '' } })
    await format().replaceOne({ _id: 'format' }, { version: 1 })
  })
  after(async () => {
    await close()
    await rm(folder, { recursive: true, force: true })
  })

  const format = () => db.collection<Document & { _id: string }>('_settings')
  const stored = async (): Promise<Document> => (await format().findOne({ _id: 'format' })) ?? {}
  const writerTo =
    (url: string): Send =>
    (method, path, data) =>
      sender(url)(method, `/api/${path}`, { token, ...(data && { body: { data } }) })

  /** Makes many of the one album that there is, each with references of its own. */
  const multiply = async (labels: readonly string[]) => {
    for (const name of ['albums', 'albums.draft']) {
      const collection = db.collection<Document & { _id: number }>(name)
      const model = await collection.findOne({ code: 'model' })
      for (let at = 0; at < documents; at += inserted)
        await collection.insertMany(
          Array.from({ length: inserted }, (_, n) => ({
            ...model,
            _id: 1_000_000 + at + n,
            documentId: `bulk${at + n}`,
            code: `bulk ${at + n}`,
            labels: labels
              .slice(0, 1 + (n % 3))
              .map((documentId) => ({ documentId, order: at + n })),
          })),
        )
    }
  }

  /** An older program: it is heard of, and writes as it always did, until it ends. */
  const runOlder = () => {
    let isOver = false
    let writes = 0
    const instances = db.collection<Document & { _id: string }>('_instances')
    const run = async () => {
      for (let n = 0; !isOver; n += 1) {
        await instances.updateOne(
          { _id: 'older' },
          [{ $set: { pid: 1, host: 'older', seenAt: '$$NOW' } }],
          { upsert: true },
        )
        const documentId = `bulk${(n * 7919) % documents}`
        for (const name of ['albums.draft', 'albums']) {
          const change = { $set: { labels: [] }, $inc: { _revision: 1 } }
          await db.collection(name).updateOne({ documentId }, change)
          writes += 1
        }
        await pause(20)
      }
      await instances.deleteOne({ _id: 'older' })
    }
    const running = run()
    return {
      end: async () => {
        isOver = true
        await running
        return writes
      },
    }
  }

  it(`and killed ${kills} times in the middle: nothing is lost, and no request fails`, async () => {
    const older = runOlder()
    let round = 0
    for (let killed = 0; ; round += 1) {
      const service = runService({ ...testSecrets, MONGODB_URI: databaseUri }, folder)
      const write = writerTo(await service.url)
      let isOver = false
      const before = load.acknowledged
      const clients = Array.from({ length: 4 }, (_, at) =>
        load
          .run(write, `${round} ${at}`, () => isOver)
          .catch((error: unknown) => {
            // A service that is gone answers nothing.
            if (!isOver) throw error
          }),
      )
      const failed = Promise.all(clients).then(() => new Promise<never>(() => undefined))
      const wait = (isSo: () => Promise<boolean>) => Promise.race([until(isSo), failed])
      await wait(() => Promise.resolve(load.acknowledged > before + 4))
      if (round === 0) {
        expect(await stored()).to.include({ version: 1 })
        expect(await older.end()).to.be.greaterThan(0)
      }
      const isLast = killed === kills
      if (isLast) await wait(async () => (await stored())['complete'] === 3)
      else {
        // Each time a part further.
        const behind = 1_000_000 + Math.round((documents / (kills + 1)) * (killed + 1))
        await wait(async () => hasCome(await stored(), behind))
        expect(await stored()).to.include({ version: 2, complete: 1 })
        killed += 1
      }
      isOver = true
      service.kill(isLast ? 'SIGTERM' : 'SIGKILL')
      const { stdout } = await service.ended
      await Promise.all(clients)
      if (isLast) {
        expect(stdout).to.include('Carried over: marks of modified drafts')
        break
      }
    }
    const { definitions, version } = await readDefinitions(db)
    const registry = createRegistryFrom(definitions.map(sourced), version)
    expect(await wronglyListed(db, registry)).to.deep.equal([])
    await load.check(db, registry, round)
    expect(await runRepair({ db, registry, format: 3, mends: false })).to.deep.equal([])
    const bulk = { documentId: /^bulk/ }
    for (const name of ['albums', 'albums.draft'])
      expect(await db.collection(name).countDocuments(bulk)).to.equal(documents)
  })
})

/** Whether the first of the large collections is filled so far. */
function hasCome({ filling }: Document, behind: number): boolean {
  const { done = [], part } = (filling ?? {}) as {
    done?: string[]
    part?: { name: string; after: number }
  }
  return done.includes('albums.draft') || (part?.name === 'albums.draft' && part.after > behind)
}

function documentIdOf(body: unknown): string {
  return (body as { data: { documentId: string } }).data.documentId
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (let waited = 0; !(await isSo()); waited += 1) {
    if (waited > 10_000) throw new Error('It takes too long')
    await pause(50)
  }
}
