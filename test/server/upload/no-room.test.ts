import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { drawPicture } from '../../../cli/seed/pictures/draw-picture.js'
import { openMediaSite, type MediaSite } from '../../long/media-service.js'
import { mediaStores } from '../../long/media-stores.js'
import { sender, type Answer, type Send } from '../../support/request.js'
import type { ServiceProcess } from '../../support/service-process.js'
import { mountSmallDisk, type SmallDisk } from '../../support/small-disk.js'

const megabyte = 1024 ** 2
const picture = drawPicture('sea', 'test', 1200, 800)
const data = Buffer.concat([Uint8Array.of(0, 255), randomBytes(6 * megabyte)])

for (const [where, part] of [
  ['files are kept', 'data'],
  ['files arrive', 'temporary'],
] as const)
  describe(`When there is no room left where ${where}`, () => {
    let folder: string
    let disk: SmallDisk | undefined
    let site: MediaSite | undefined
    let service: ServiceProcess | undefined
    let send: Send
    before(async function () {
      folder = await mkdtemp(join(tmpdir(), 'quire-full-'))
      const [dataDir, temporary] = [join(folder, 'data'), join(folder, 'temporary')]
      await Promise.all([mkdir(dataDir), mkdir(temporary)])
      disk = await mountSmallDisk(join(folder, part), 16)
      if (disk === undefined) return this.skip()
      site = await openMediaSite(mediaStores.local)
      service = site?.start({ DATA_DIR: dataDir, TMPDIR: temporary })
      send = sender((await service?.url) ?? '')
    })
    after(async () => {
      service?.kill('SIGTERM')
      await service?.ended
      await site?.close()
      await disk?.close()
      await rm(folder, { recursive: true, force: true })
    })

    const upload = (name: string, content: Uint8Array): Promise<Answer> => {
      const body = new FormData()
      body.append('files', new Blob([content]), name)
      return send('POST', '/api/upload', { token: site?.token ?? '', body })
    }
    const count = async (collection: string) =>
      (await site?.db.collection(collection).countDocuments()) ?? NaN
    const all = async () => ({
      stored: (await readdir(join(folder, 'data', 'uploads')).catch(() => [])).sort(),
      temporary: (await readdir(join(folder, 'temporary'), { recursive: true })).sort(),
      entries: await count('upload_files'),
      begun: await count('_contents'),
    })

    it('an upload is a 503 that leaves nothing behind, and the next one succeeds when there is room', async () => {
      expect((await upload('first.png', picture)).status).to.equal(201)
      const files = [
        ['a.png', picture],
        ...(part === 'data' ? [['a.bin', data] as const] : []),
      ] as const
      for (const left of [0, 8192, Math.ceil(picture.byteLength / 8192) * 8192 + 8192]) {
        await disk?.fill(left)
        const before = await all()
        for (const [name, content] of files) {
          const answer = await upload(name, content)
          expect(answer.status, `${name}, ${left} bytes left: ${answer.text}`).to.equal(503)
          expect(answer.headers.get('retry-after')).to.be.oneOf(['1', '10'])
          expect(answer.body).to.have.nested.property('error.details.outcome', 'not-done')
          expect(answer.body).to.have.nested.property('error.message').include('no room')
          expect(await all(), `${name}, ${left} bytes left`).to.deep.equal(before)
        }
        await disk?.empty()
      }
      for (const [name, content] of files)
        expect((await upload(name, content)).status).to.equal(201)
      expect((await all()).begun).to.equal(0)
    })
  })
