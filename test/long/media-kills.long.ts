import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import fc from 'fast-check'
import { namesOf, type StoredFile } from '../../server/upload/store-content.js'
import { openMediaSite, type MediaSite } from './media-service.js'
import { changeFiles, loadEnvironment } from './media-load.js'
import { mediaStores } from './media-stores.js'

const rounds = 20
const pauses = fc.sample(fc.integer({ min: 300, max: 2500 }), {
  numRuns: rounds,
  unbiased: true,
})

for (const [name, open] of Object.entries(mediaStores)) {
  describe(`kills of the service during media changes: ${name}`, () => {
    let site: MediaSite | undefined
    before(async function () {
      site = await openMediaSite(open)
      if (site === undefined) this.skip()
    })
    after(() => site?.close())

    it('keep the content of every file, and a sweep removes content without a file', async () => {
      if (site === undefined) return
      const { db, provider, start } = site
      const entries = db.collection<StoredFile & { _id: number }>('upload_files')
      const contents = db.collection('_contents')
      const variants = db.collection<{ _id: string }>('_variants')
      const counts = { done: 0, cut: 0, unfinished: 0, files: 0 }
      const stored = async () => {
        const found = []
        for await (const content of provider.list()) found.push(content.name)
        return found.sort()
      }
      const named = async () =>
        (await entries.find().toArray()).flatMap((file) => namesOf(file).names)
      const drawn = async () => (await variants.find().toArray()).map(({ _id }) => _id)

      for (const [round, pauseMs] of pauses.entries()) {
        const service = start(loadEnvironment)
        const load = changeFiles(await service.url, site)
        await sleep(pauseMs)
        service.kill('SIGKILL')
        await service.ended
        await load.over
        counts.done += load.counts.done
        counts.cut += load.counts.cut
        // The database and the store may still be processing the last requests.
        await sleep(500)
        const before = await stored()
        const lacking = (await named()).filter((file) => !before.includes(file))
        expect(lacking, `round ${round}`).to.deep.equal([])

        // Makes deletions due now instead of in an hour, so that the next service removes the content when it starts.
        await contents.updateMany({}, { $set: { due: new Date(0) } })
        counts.unfinished += await provider.removeUnfinished(0)
        const next = start()
        await next.url
        for (let turn = 0; turn < 600 && (await contents.countDocuments()) > 0; turn++)
          await sleep(50)
        next.kill('SIGTERM')
        await next.ended
        expect(await contents.countDocuments(), `round ${round}`).to.equal(0)
        const remaining = await stored()
        // Only stored variants count, because the kill may have interrupted the creation of a variant.
        const existingVariants = (await drawn()).filter((one) => remaining.includes(one))
        expect(remaining, `round ${round}`).to.deep.equal(
          [...(await named()), ...existingVariants].sort(),
        )
      }
      counts.files = await entries.countDocuments()
      process.stdout.write(`      ${name}, ${rounds} kills: ${JSON.stringify(counts)}\n`)
      expect(counts.cut).to.be.above(0)
    })
  })
}
