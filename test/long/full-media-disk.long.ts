import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import type { Db } from 'mongodb'
import { pino } from 'pino'
import { connectDatabase } from '../../server/database/connect.js'
import { startDatabaseHost } from '../../server/database/host.js'
import { namesOf, type StoredFile } from '../../server/upload/store-content.js'
import { realMongod } from '../support/real-mongod.js'
import { sender, type Answer, type Send } from '../support/request.js'
import { runService, type ServiceProcess } from '../support/service-process.js'
import { mountSmallDisk, type SmallDisk } from '../support/small-disk.js'
import { conformanceModel } from '../support/conformance-model.js'
import { startApp } from '../support/start-app.js'
import { testSecrets } from '../support/test-secrets.js'
import { startReplicaSet } from './fail-over/replica-set.js'
import { mediaStores } from './media-stores.js'

const megabyte = 1024 ** 2
const rounds = Number(process.env['ROUNDS'] ?? 2)
const log = pino({ level: 'silent' })

type File = Readonly<{ url: string }>

/** A database on a small disk that a test can fill, and the environment for services that use it. */
type Site = Readonly<{
  env: Readonly<Record<string, string>>
  disk: SmallDisk
  /** Calls `work` with the database while no service is running. */
  look: <T>(work: (db: Db, uri: string) => Promise<T>) => Promise<T>
  /** Restarts the database server after space was freed, as a supervisor would. */
  mend: () => Promise<void>
  close: () => Promise<void>
}>

const sites: Readonly<Record<string, (folder: string) => Promise<Site | undefined>>> = {
  'a MongoDB server': openServerSite,
  'the embedded engine': openEmbeddedSite,
}

for (const [name, open] of Object.entries(sites))
  describe(`uploads to GridFS in ${name} with a full disk`, function () {
    this.timeout(1_800_000)
    let folder = ''
    let site: Site | undefined
    let token = ''
    let service: ServiceProcess | undefined
    before(async function () {
      folder = await mkdtemp(join(tmpdir(), 'quire-full-media-'))
      site = await open(folder)
      if (site === undefined) return this.skip()
      token = await site.look(async (_db, databaseUri) => {
        const app = await startApp({ databaseUri })
        await app.stop()
        return app.token
      })
    })
    after(async () => {
      service?.kill('SIGKILL')
      await service?.ended
      await site?.close()
      await rm(folder, { recursive: true, force: true })
    })

    const start = async (): Promise<Send> => {
      const env = { ...testSecrets, SCHEMA_DIR: conformanceModel, UPLOAD_PROVIDER: 'gridfs' }
      service = runService({ ...env, ...site?.env }, folder)
      return sender(await service.url)
    }
    const stop = async (): Promise<void> => {
      service?.kill('SIGTERM')
      await service?.ended
    }

    it('return 503 and leave no remains, and acknowledged files are complete afterwards', async () => {
      if (site === undefined) return
      const { disk, mend, look } = site
      const uploaded: (readonly [File, Buffer])[] = []
      const statuses: Record<number, number> = {}
      const send = await start()
      const upload = async (bytes: number): Promise<Answer> => {
        const content = Buffer.concat([Uint8Array.of(0, 255), randomBytes(bytes)])
        const body = new FormData()
        body.append('files', new Blob([content]), 'film.bin')
        const answer = await send('POST', '/api/upload', { token, body })
        statuses[answer.status] = (statuses[answer.status] ?? 0) + 1
        expect(answer.status, answer.text).to.be.oneOf([201, 503])
        if (answer.status === 503) expect(answer.headers.get('retry-after')).to.match(/^\d+$/)
        else uploaded.push([(answer.body as readonly [File])[0], content])
        return answer
      }
      for (let round = 0; round < rounds; round += 1) {
        expect((await upload(3 * megabyte)).status).to.equal(201)
        // Leaves so little space that the disk becomes full during an upload.
        await disk.fill(round % 2 === 0 ? 4096 : 75 * megabyte)
        for (let turn = 0; turn < 4; turn += 1)
          await Promise.all(Array.from({ length: 4 }, () => upload(8 * megabyte)))
        expect(statuses[503]).to.be.above(round)
        await disk.empty()
        await mend()
        while ((await upload(megabyte)).status !== 201) await sleep(200)
      }
      const load = async ({ url }: File): Promise<Buffer> => {
        const answer = await fetch((await service?.url) + url)
        return Buffer.from(await answer.arrayBuffer())
      }
      for (const [file, content] of uploaded)
        expect((await load(file)).equals(content), file.url).to.equal(true)
      await stop()
      const left = await look(async (db, uri) => {
        const store = await mediaStores.gridfs(folder)
        const provider = store?.openProvider(db)
        await provider?.removeUnfinished(0)
        // Makes the deletion of the content due now instead of in an hour, so that the service removes it when it
        // starts.
        await db.collection('_contents').updateMany({}, { $set: { due: new Date(0) } })
        const app = await startApp({ databaseUri: uri, environment: { UPLOAD_PROVIDER: 'gridfs' } })
        while ((await db.collection('_contents').countDocuments()) > 0) await sleep(50)
        await app.stop()
        const stored: string[] = []
        for await (const content of provider?.list() ?? []) stored.push(content.name)
        const entries = await db.collection<StoredFile>('upload_files').find().toArray()
        expect(stored.sort()).to.deep.equal(entries.flatMap((one) => namesOf(one).names).sort())
        expect(await store?.rest(db)).to.deep.equal([])
        return entries.length
      })
      expect(left).to.be.at.least(uploaded.length)
      const summary = { ...statuses, files: left, acknowledged: uploaded.length }
      process.stdout.write(`      ${name}: ${JSON.stringify(summary)}\n`)
    })
  })

async function openServerSite(folder: string): Promise<Site | undefined> {
  const mongod = await realMongod()
  if (mongod === undefined) return undefined
  const disk = await mountSmallDisk(join(folder, 'member0'), 600)
  if (disk === undefined) return undefined
  const set = await startReplicaSet(mongod, folder, { count: 1 })
  return {
    ...{ disk, env: { MONGODB_URI: set.uri, DATA_DIR: join(folder, 'data') } },
    look: (work) => withDatabase(set.uri, work),
    // Kills the server first, because it may not have exited by itself when the disk was full.
    mend: async () => {
      await set.kill(0)
      await set.start(0)
    },
    close: async () => {
      await set.close()
      await disk.close()
    },
  }
}

async function openEmbeddedSite(folder: string): Promise<Site | undefined> {
  const dataDir = join(folder, 'data')
  const disk = await mountSmallDisk(dataDir, 600)
  if (disk === undefined) return undefined
  return {
    ...{ disk, env: { DATA_DIR: dataDir } },
    look: async (work) => {
      const host = await startDatabaseHost({ dataDir, log })
      try {
        return await withDatabase(host.uri, work)
      } finally {
        await host.stop()
      }
    },
    mend: () => Promise.resolve(),
    close: disk.close,
  }
}

async function withDatabase<T>(uri: string, work: (db: Db, uri: string) => Promise<T>): Promise<T> {
  const client = await connectDatabase(uri, { appName: 'test' })
  try {
    return await work(client.db(), uri)
  } finally {
    await client.close()
  }
}
