import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import fc from 'fast-check'
import type { Db } from 'mongodb'
import type { StorageProvider } from '../../server/upload/storage-provider.js'
import { namesOf, type StoredFile } from '../../server/upload/store-content.js'
import { sender } from '../support/request.js'
import type { ServiceProcess } from '../support/service-process.js'
import { engineOf, openEngineSite, type EngineSite } from './media-engine-site.js'
import { changeFiles, loadEnvironment, mediaTasks, type MediaLoad } from './media-load.js'
import { mediaStores } from './media-stores.js'

const rounds = 20
const pauses = fc.sample(fc.tuple(fc.integer({ min: 300, max: 1500 }), fc.nat(30)), {
  numRuns: rounds,
  unbiased: true,
})
const victims = ['service', 'engine', 'both'] as const

for (const [name, open] of Object.entries(mediaStores)) {
  describe(`kills of the service and its engine during media changes: ${name}`, () => {
    let site: EngineSite | undefined
    before(async function () {
      site = await openEngineSite(open, loadEnvironment)
      if (site === undefined) this.skip()
    })
    after(() => site?.close())

    it('keep the content of every file, and a sweep or check removes all remains', async () => {
      if (site === undefined) return
      await uploadOne(site)
      const counts = { done: 0, refused: 0, cut: 0, strays: 0, begun: 0, rest: 0, files: 0 }
      for (const [round, [pauseMs, underWayMs]] of pauses.entries()) {
        const victim = victims[round % victims.length] ?? 'both'
        const task = mediaTasks[round % mediaTasks.length] ?? 'upload'
        const label = `round ${round}: ${victim} during ${task}`
        const service = site.start()
        const load = changeFiles(await service.url, site)
        // Prevents an unhandled rejection. A later `await` of `over` reports the error.
        load.over.catch(() => undefined)
        await sleep(pauseMs)
        await until(() => load.isUnderWay(task))
        await sleep(underWayMs)
        await kill(victim, service, load)
        counts.done += load.counts.done
        counts.refused += load.counts.refused
        counts.cut += load.counts.cut

        await site.look(async (db, provider) => {
          const { stored, named } = await listed(db, provider)
          expect(
            named.filter((file) => !stored.includes(file)),
            label,
          ).to.deep.equal([])
          counts.begun += await db.collection('_contents').countDocuments()
          counts.rest += ((await site?.rest(db)) ?? []).length
          await site?.age(db)
          // Content without a record can only be found by `media check`; content with a due record is removed by a
          // sweep.
          if (round % 2 === 0) await db.collection('_contents').deleteMany({})
          else await db.collection('_contents').updateMany({}, { $set: { due: new Date(0) } })
        })
        if (round % 2 === 0) counts.strays += await removeStrays(site, label)
        else await sweep(site)
        await site.look(async (db, provider) => {
          const { stored, named, variants } = await listed(db, provider)
          expect(stored, label).to.deep.equal([...named, ...variants].sort())
          expect(await db.collection('_contents').countDocuments(), label).to.equal(0)
          counts.files = named.length
          // `age` does not make unfinished GridFS uploads older, because their age is in the ids of their chunks.
          if (name === 'gridfs') await provider.removeUnfinished(0)
          expect(await site?.rest(db), label).to.deep.equal([])
        })
        expect(await site.check(), label).to.equal('The media library is in order.\n')
        expect(await site.leftTemporary(), label).to.deep.equal([])
      }
      process.stdout.write(`      ${name}, ${rounds} kills: ${JSON.stringify(counts)}\n`)
    })
  })
}

/**
 * Kills the service or its engine. If only the engine is killed, waits until the service responds again, and then stops
 * it.
 */
async function kill(
  victim: (typeof victims)[number],
  service: ServiceProcess,
  load: MediaLoad,
): Promise<void> {
  const engine = await engineOf(service)
  if (victim !== 'engine') service.kill('SIGKILL')
  if (victim !== 'service') process.kill(engine, 'SIGKILL')
  if (victim === 'engine') {
    const { done } = load.counts
    await until(() => load.counts.done > done + 10)
    load.end()
    await load.over
    expect(load.counts.cut, 'cut connections').to.equal(0)
    service.kill('SIGTERM')
  }
  await service.ended
  await load.over
  // The database and the store may still be processing the last requests.
  await sleep(500)
}

/** Lists the stored files, the files that entries name, and the variants of these files. */
async function listed(db: Db, provider: StorageProvider) {
  const stored: string[] = []
  for await (const content of provider.list()) stored.push(content.name)
  const entries = await db.collection<StoredFile>('upload_files').find().toArray()
  const hashes = new Set(entries.map(({ hash }) => hash))
  const records = await db.collection<{ _id: string; of: string }>('_variants').find().toArray()
  return {
    stored: stored.sort(),
    named: entries.flatMap((file) => namesOf(file).names),
    // Only stored variants count, because the kill may have interrupted the creation of a variant.
    variants: records
      .filter(({ _id, of }) => hashes.has(of) && stored.includes(_id))
      .map(({ _id }) => _id),
  }
}

/** Removes files without an entry, and returns their number. */
async function removeStrays(site: EngineSite, label: string): Promise<number> {
  const found = await site.check()
  const strays = [...found.matchAll(/^stored file without a record: /gm)].length
  expect(found, label).to.not.match(/^(?:record|smaller version) without a stored file|stored in/m)
  const removed = await site.check('--remove')
  const deleted = [...removed.matchAll(/^stored file without a record: .*: removed$/gm)]
  expect(deleted, `${label}: ${removed}, after ${found}`).to.have.length(strays)
  return strays
}

/** Uploads a file that stays. If the media library has no files, the check removes nothing. */
async function uploadOne(site: EngineSite): Promise<void> {
  const service = site.start()
  const body = new FormData()
  body.append('files', new Blob(['stays']), 'stays.txt')
  const send = sender(await service.url)
  const { status } = await send('POST', '/api/upload', { token: site.token, body })
  expect(status).to.equal(201)
  service.kill('SIGTERM')
  await service.ended
}

/** Starts a service, which removes the content whose records are due. */
async function sweep(site: EngineSite): Promise<void> {
  const service = site.start()
  await service.url
  await sleep(3000)
  service.kill('SIGTERM')
  await service.ended
}

async function until(holds: () => boolean): Promise<void> {
  for (let waited = 0; !holds(); waited += 2) {
    if (waited > 120_000) throw new Error(`Never: ${String(holds)}`)
    await sleep(2)
  }
}
