import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { drawPicture } from '../../scripts/seed/pictures/draw-picture.js'
import { namesOf, type StoredFile } from '../../server/upload/store-content.js'
import { sender } from '../support/request.js'
import { openMediaSite, type MediaSite } from './media-service.js'
import { mediaStores } from './media-stores.js'

const rounds = 20
const picture = drawPicture('sea', 'killed', 600, 400)

for (const [name, open] of Object.entries(mediaStores)) {
  describe(`A service that is killed while files come, change and go: ${name}`, () => {
    let site: MediaSite | undefined
    before(async function () {
      site = await openMediaSite(open)
      if (site === undefined) this.skip()
    })
    after(() => site?.close())

    it('leaves no file without its bytes, and after a sweep no bytes without a file', async () => {
      if (site === undefined) return
      const { db, store, start, token } = site
      const entries = db.collection<StoredFile & { _id: number }>('upload_files')
      const contents = db.collection('_contents')
      const counts = { done: 0, cut: 0, unfinished: 0, files: 0 }
      const stored = async () => {
        const found = []
        for await (const content of store.provider.list()) found.push(content.name)
        return found.sort()
      }
      const named = async () =>
        (await entries.find().toArray()).flatMap((file) => namesOf(file).names).sort()

      for (let round = 0; round < rounds; round++) {
        const service = start()
        const work = changeFiles(await service.url, token, counts)
        await sleep(300 + Math.random() * 2200)
        service.kill('SIGKILL')
        await service.ended
        await work
        // What the database and the store were sent may still be on its way there.
        await sleep(500)
        const there = new Set(await stored())
        const lacking = (await named()).filter((file) => !there.has(file))
        expect(lacking, `round ${round}`).to.deep.equal([])

        // As if an hour had gone by; the next start sweeps.
        await contents.updateMany({}, { $set: { due: new Date(0) } })
        counts.unfinished += await store.provider.removeUnfinished(0)
        const next = start()
        await next.url
        for (let turn = 0; turn < 600 && (await contents.countDocuments()) > 0; turn++)
          await sleep(50)
        next.kill('SIGTERM')
        await next.ended
        expect(await contents.countDocuments(), `round ${round}`).to.equal(0)
        expect(await stored(), `round ${round}`).to.deep.equal(await named())
      }
      counts.files = await entries.countDocuments()
      process.stdout.write(`      ${name}, ${rounds} kills: ${JSON.stringify(counts)}\n`)
      expect(counts.cut).to.be.above(0)
    })
  })
}

/** Uploads, replaces and deletes beside one another until the service is gone. */
async function changeFiles(
  url: string,
  token: string,
  counts: { done: number; cut: number },
): Promise<void> {
  const send = sender(url)
  const post = async (query: string, content: Uint8Array, name: string) => {
    const body = new FormData()
    body.append('files', new Blob([content]), name)
    const { status, body: answer } = await send('POST', `/api/upload${query}`, { token, body })
    expect(status).to.be.oneOf([200, 201])
    counts.done += 1
    return answer
  }
  const lane = async (content: Uint8Array, name: string): Promise<void> => {
    try {
      for (;;) {
        const [file] = (await post('', content, name)) as { id: number }[]
        await post(`?id=${file?.id}`, content, name)
        await send('DELETE', `/api/upload/files/${file?.id}`, { token })
        counts.done += 1
        await post('', content, name)
      }
    } catch (error) {
      if (!(error instanceof TypeError)) throw error
      counts.cut += 1
    }
  }
  await Promise.all([
    lane(Buffer.concat([Uint8Array.of(0, 255), randomBytes(3_000_000)]), 'large.bin'),
    lane(Buffer.concat([Uint8Array.of(0, 255), randomBytes(300_000)]), 'small.bin'),
    lane(Buffer.from('a,b\n1,2\n'), 'table.csv'),
    lane(picture, 'picture.png'),
  ])
}
