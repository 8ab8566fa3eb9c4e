import { randomBytes } from 'node:crypto'
import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { openMediaSite } from '../../long/media-service.js'
import { drawPicture } from '../../support/draw-picture.js'
import { mediaStores } from '../../long/media-stores.js'
import { sender, type Answer } from '../../support/request.js'
import { sideBySide } from '../../support/side-by-side.js'
import { mountSmallDisk } from '../../support/small-disk.js'
import type { Cleanup } from '../database/cleanup.js'

const megabyte = 1024 ** 2
const picture = await drawPicture('test', 1200, 800)
const data = Buffer.concat([Uint8Array.of(0, 255), randomBytes(6 * megabyte)])

describe('upload on a full disk', () => {
  const it = sideBySide()

  for (const [where, part] of [
    ['stored', 'data'],
    ['received', 'temporary'],
  ] as const)
    it(`returns 503 and leaves nothing behind if the disk where files are ${where} is full, and succeeds later`, async ({
      cleanup,
      skip,
    }) => {
      const disk = await openDisk(part, cleanup)
      if (disk === undefined) return skip()
      const { upload, all } = await startOn(disk, cleanup)
      expect((await upload('first.png', picture)).status).to.equal(201)
      const files = [
        ['a.png', picture],
        ...(part === 'data' ? [['a.bin', data] as const] : []),
      ] as const
      for (const freeBytes of [0, 8192, Math.ceil(picture.byteLength / 8192) * 8192 + 8192]) {
        await disk.fill(freeBytes)
        const before = await all()
        for (const [name, content] of files) {
          const answer = await upload(name, content)
          expect(answer.status, `${name}, ${freeBytes} bytes free: ${answer.text}`).to.equal(503)
          expect(answer.headers.get('retry-after')).to.be.oneOf(['1', '10'])
          expect(answer.body).to.have.nested.property('error.details.outcome', 'not-done')
          expect(answer.body).to.have.nested.property('error.message').include('disk space left')
          expect(await all(), `${name}, ${freeBytes} bytes free`).to.deep.equal(before)
        }
        await disk.empty()
      }
      for (const [name, content] of files)
        expect((await upload(name, content)).status).to.equal(201)
      expect((await all()).pending).to.equal(0)
    })
})

/**
 * Creates a data folder and a temporary folder. The one named by `part` is on a small disk. Returns undefined if no
 * disk can be mounted.
 */
async function openDisk(part: 'data' | 'temporary', cleanup: Cleanup) {
  const folder = await cleanup.folder()
  const [dataDir, temporary] = [join(folder, 'data'), join(folder, 'temporary')]
  await Promise.all([mkdir(dataDir), mkdir(temporary)])
  const disk = await mountSmallDisk(join(folder, part), 16)
  if (disk === undefined) return undefined
  cleanup.add(disk.close)
  return { ...disk, dataDir, temporary }
}

async function startOn(
  { dataDir, temporary }: Readonly<{ dataDir: string; temporary: string }>,
  cleanup: Cleanup,
) {
  const site = await openMediaSite(mediaStores.local)
  if (site === undefined) throw new Error('The local store is always available')
  cleanup.add(site.close)
  const service = site.start({ DATA_DIR: dataDir, TMPDIR: temporary })
  cleanup.add(async () => {
    service.kill('SIGTERM')
    await service.ended
  })
  const send = sender(await service.url)
  const upload = (name: string, content: Uint8Array): Promise<Answer> => {
    const body = new FormData()
    body.append('files', new Blob([content]), name)
    return send('POST', '/api/upload', { token: site.token, body })
  }
  const count = (collection: string) => site.db.collection(collection).countDocuments()
  const all = async () => ({
    stored: (await readdir(join(dataDir, 'uploads')).catch(() => [])).sort(),
    temporary: (await readdir(temporary, { recursive: true })).sort(),
    entries: await count('upload_files'),
    pending: await count('_contents'),
  })
  return { upload, all }
}
