import { expect } from 'chai'
import type { Collection } from 'mongodb'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runRepair } from '../../server/repair/run-repair.js'
import { testDatabaseUri } from '../support/database.js'
import type { Answer } from '../support/request.js'
import { sender } from '../support/request.js'
import { runService } from '../support/service-process.js'
import type { TestApp } from '../support/start-app.js'
import { startApp, testSecrets } from '../support/start-app.js'
import { albumsAndLabels } from '../write/model.js'

const types = albumsAndLabels({
  album: { code: { type: 'string', unique: true }, rank: { type: 'integer' } },
})

/** What a client knows of a document that it wrote. */
type Known = {
  documentId: string
  /** The highest rank that was acknowledged. */
  rank: number
  /** Whether a delete was sent, and whether it was answered. */
  deleting: boolean
  deleted: boolean
}

/** A service that is killed while it writes, so many times, over a database that goes on. */
export function describeServiceCrash(rounds: number): void {
  describe(`When the service is killed ${rounds} times while it writes`, function () {
    this.timeout(rounds * 30_000)
    let app: TestApp
    let folder: string
    let labels: readonly string[]
    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'quire-crash-'))
      const schema = Object.fromEntries(
        types.map(({ uid, definition }) => [`content-types/${uid.slice(5)}.json`, definition]),
      )
      databaseUri = await testDatabaseUri()
      app = await startApp({ databaseUri, schema })
      labels = await Promise.all(
        Array.from({ length: 6 }, async () =>
          documentIdOf(await write(app.url, 'POST', 'labels', {})),
        ),
      )
    })
    after(async () => {
      await app.stop()
      await rm(folder, { recursive: true, force: true })
    })

    let databaseUri: string
    const write = (url: string, method: string, path: string, data?: object) =>
      sender(url)(method, `/api/${path}`, {
        token: app.token,
        ...(data === undefined ? {} : { body: { data } }),
      })
    const known: Known[] = []

    /** One client: creates, updates, publishes from the other side and deletes, until the service is gone. */
    const load = async (url: string, client: string): Promise<void> => {
      for (let n = 0; ; n += 1) {
        const [one, two] = [labels[n % 6] ?? '', labels[(n + 1) % 6] ?? '']
        const data = { code: `${client} ${n}`, rank: 0, labels: [one, two] }
        const created = await write(url, 'POST', 'albums', { ...data, parts: [one], partner: one })
        if (created.status !== 201) continue
        const album = {
          documentId: documentIdOf(created),
          rank: 0,
          deleting: false,
          deleted: false,
        }
        known.push(album)
        const path = `albums/${album.documentId}`
        const scope = n % 3 === 0 ? '?status=draft' : ''
        const updated = await write(url, 'PUT', `${path}${scope}`, { rank: 1, parts: [two] })
        if (updated.status === 200) album.rank = 1
        // Another one with the same code is refused, now and after any crash.
        await write(url, 'POST', 'albums', data)
        await write(url, 'PUT', `labels/${two}${scope}`, {
          albums: [album.documentId],
          whole: album.documentId,
        })
        if (n % 4 !== 3) continue
        album.deleting = true
        album.deleted = (await write(url, 'DELETE', path)).status === 204
      }
    }
    const repair = () => {
      const { db, registry } = app.quire.services
      return runRepair({ db, registry: registry(), mends: true })
    }

    it('every acknowledged write is there, unique values are unique, and one repair mends the rest', async () => {
      const { db } = app.quire.services
      for (let round = 0; round < rounds; round += 1) {
        const service = runService(
          { ...testSecrets, MONGODB_URI: databaseUri, LOG_LEVEL: 'silent' },
          folder,
        )
        const url = await service.url
        const clients = Array.from({ length: 4 }, (_, at) =>
          load(url, `${round} ${at}`).catch(() => undefined),
        )
        const before = known.length
        for (let waited = 0; known.length === before && waited < 10_000; waited += 20)
          await pause(20)
        await pause(Math.random() * 500)
        service.kill('SIGKILL')
        await service.ended
        await Promise.all(clients)

        const ranks = await ranksBy(db.collection('albums.draft'))
        const live = await ranksBy(db.collection('albums'))
        for (const { documentId, rank, deleting, deleted } of known) {
          if (deleted) expect(ranks.has(documentId), `deleted, round ${round}`).to.equal(false)
          if (deleting) continue
          expect(ranks.get(documentId), `draft of ${documentId}, round ${round}`).to.be.least(rank)
          expect(live.has(documentId), `published ${documentId}, round ${round}`).to.equal(true)
        }
        await repair()
        expect(await repair(), `second repair, round ${round}`).to.deep.equal([])
        const codes = await db.collection('albums').distinct('code')
        expect(await db.collection('albums').countDocuments({})).to.equal(codes.length)
      }
      expect(known.length).to.be.least(rounds)
    })
  })
}

function documentIdOf({ body }: Answer): string {
  return (body as { data: { documentId: string } }).data.documentId
}

async function ranksBy(collection: Collection): Promise<Map<string, number>> {
  const versions = await collection.find({}, { projection: { documentId: 1, rank: 1 } }).toArray()
  return new Map(
    versions.map((version) => [version['documentId'] as string, version['rank'] as number]),
  )
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
