import { once } from 'node:events'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { drawPicture } from '../../support/draw-picture.js'
import { chooseProvider } from '../../../server/upload/providers/create-providers.js'
import { createLocalProvider } from '../../../server/upload/providers/local.js'
import { openPendingContents } from '../../../server/upload/pending-contents.js'
import { errorBody } from '../../support/error-body.js'
import { startApp } from '../../support/start-app.js'
import type { TestApp } from '../../support/test-app.js'
import { storedNames } from '../../support/stored-names.js'

const png = await drawPicture('test', 40, 30)
const binary = Buffer.alloc(300_000, Uint8Array.of(1, 2, 3, 255, 0))
const sizeLimit = 1_000_000

describe('streamed upload', () => {
  let app: TestApp
  before(async () => {
    app = await startApp({ settings: { 'upload.sizeLimit': sizeLimit } })
  })
  after(() => app.stop())

  const folder = () => join(app.dataDir, 'uploads')
  const stored = () => storedNames(app.dataDir)
  const records = () => app.quire.services.db.collection('_contents').countDocuments()
  const entries = () => app.quire.services.db.collection('upload_files').countDocuments()
  const all = async () => [await stored(), await records(), await entries()] as const
  /** Waits until the service has removed what an aborted request left behind. */
  const expectSoon = async (expected: Awaited<ReturnType<typeof all>>) => {
    for (let turn = 0; turn < 400; turn++) {
      if (JSON.stringify(await all()) === JSON.stringify(expected)) return
      await sleep(10)
    }
    expect(await all()).to.deep.equal(expected)
  }
  type Fields = Readonly<Record<string, string>>
  const post = (
    parts: readonly (readonly [string, Uint8Array | string])[],
    fields: Fields = {},
    query = '',
  ) => {
    const form = new FormData()
    for (const [name, content] of parts) form.append('files', new Blob([content]), name)
    for (const [name, value] of Object.entries(fields)) form.append(name, value)
    return app.request('POST', `/api/upload${query}`, { token: app.token, body: form })
  }

  it('stores files byte for byte together with a picture, and leaves no pending record', async () => {
    const answer = await post([
      ['data.bin', binary],
      ['picture.png', png],
      ['table.csv', 'a,b\n1,2\n'],
    ])
    expect(answer.status, answer.text).to.equal(201)
    const files = answer.body as { name: string; url: string; size: number; mime: string }[]
    expect(files.map(({ name, size, mime }) => [name, size, mime])).to.deep.equal([
      ['data.bin', 300, 'application/octet-stream'],
      ['picture.png', files[1]!.size, 'image/png'],
      ['table.csv', 0.01, 'text/csv'],
    ])
    const served = await fetch(`${app.url}${files[0]!.url}`)
    expect(Buffer.from(await served.arrayBuffer()).equals(binary)).to.equal(true)
    expect(await records()).to.equal(0)
    expect((await stored()).length).to.equal(3)
  })

  it('leaves no orphaned content after concurrent replacements and deletions', async () => {
    const sweep = async () => {
      const { db, log, settings } = app.quire.services
      await db.collection('_contents').updateMany({}, { $set: { due: new Date(0) } })
      const providers = chooseProvider('local', [createLocalProvider(folder())])
      const registry = () => app.quire.services.registry()
      const services = { db, log, settings, registry }
      await openPendingContents(services, { providers, singleProcess: true }).sweep()
    }
    const before = await all()
    const [file] = (await post([['race.bin', binary]])).body as { id: number }[]
    const query = `?id=${file!.id}`
    const replace = () => post([['other.bin', binary]], {}, query)
    const answers = await Promise.all(Array.from({ length: 5 }, replace))
    expect(answers.map(({ status }) => status)).to.deep.equal([200, 200, 200, 200, 200])
    await sweep()
    const { hash } = (await app.quire.services.db
      .collection<{ _id: number; hash: string }>('upload_files')
      .findOne({ _id: file!.id }))!
    expect(await stored()).to.deep.equal([...before[0], `${hash}.bin`].sort())
    const path = `/api/upload/files/${file!.id}`
    const [deleted] = await Promise.all([
      app.request('DELETE', path, { token: app.token }),
      replace(),
      replace(),
    ])
    expect(deleted.status).to.equal(200)
    await sweep()
    expect(await all()).to.deep.equal(before)
  })

  it('stores replacing content under the slug of the first name', async () => {
    const [file] = (await post([['first.bin', binary]])).body as { id: number; hash: string }[]
    const answer = await post([['second.bin', binary]], {}, `?id=${file!.id}`)
    const { hash, name } = answer.body as { hash: string; name: string }
    expect(name).to.equal('second.bin')
    expect(hash)
      .to.match(/^first_[0-9a-f]{10}$/)
      .and.not.equal(file!.hash)
  })

  it('leaves nothing behind if the request is rejected', async () => {
    const before = await all()
    const large = Buffer.alloc(sizeLimit + 1, binary)
    const refused = async (expected: number, answer: ReturnType<typeof post>) => {
      const { status, text } = await answer
      expect(status, text).to.equal(expected)
      await expectSoon(before)
    }
    await refused(400, post([['a.bin', binary]], { fileInfo: '{' }))
    await refused(400, post([['a.bin', binary]], { fileInfo: '[{},{}]' }))
    await refused(400, post([['a.bin', binary]], { ref: 'api::nothing.nothing', refId: '1' }))
    await refused(400, post([['a.bin', binary]], { '__proto__[x]': '1' }))
    await refused(413, post([['a.bin', binary], ['b.bin', large]])) // prettier-ignore
    await refused(413, post([['a.bin', large]]))
    await refused(400, post([['a.bin', binary], ['b.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>']])) // prettier-ignore
    await refused(400, post([['a.bin', binary], ['b.bin', '']])) // prettier-ignore
    await refused(400, post([['a.bin', binary], ['b.png', png.subarray(0, png.length / 2)]])) // prettier-ignore
    await refused(404, post([['a.bin', binary]], {}, '?id=99999'))
    await refused(400, post([['a.bin', binary], ['b.bin', binary]], {}, '?id=1')) // prettier-ignore
    const many = Array.from({ length: 21 }, (_, i) => [`${i}.bin`, 'words'] as const)
    await refused(400, post(many))
  })

  it('rejects and does not store files in fields other than `files`', async () => {
    const before = await all()
    const form = new FormData()
    form.append('other', new Blob([binary]), 'a.bin')
    const body = form
    const answer = await app.request('POST', '/api/upload', { token: app.token, body })
    expect(answer.body).to.deep.equal(errorBody(400, 'ValidationError', 'Files are empty', {}))
    await expectSoon(before)
  })

  it('leaves nothing behind if the client disconnects', async () => {
    const before = await all()
    for (const sent of [10, 80_000, 250_000]) {
      const socket = await begin(app, binary.subarray(0, sent))
      if (sent > 65_536)
        while ((await records()) === before[1] || (await stored()).length === before[0].length)
          await sleep(5)
      socket.destroy()
      await expectSoon(before)
    }
  })

  it('returns 503 if the store fails, and leaves nothing behind', async () => {
    const before = await all()
    await rename(folder(), `${folder()}-away`)
    await writeFile(folder(), '')
    const answer = await post([['a.bin', binary]])
    expect(answer.status, answer.text).to.equal(503)
    expect(answer.headers.get('retry-after')).to.equal('1')
    expect(answer.body).to.have.nested.property('error.details.outcome', 'not-done')
    await rm(folder())
    await mkdir(folder())
    await rm(folder(), { recursive: true })
    await rename(`${folder()}-away`, folder())
    const [files, pending, written] = await all()
    expect([files, written]).to.deep.equal([before[0], before[2]])
    // If removing the content failed too, its record remains.
    expect(pending).to.be.within(before[1], before[1] + 1)
    expect((await post([['a.bin', binary]])).status).to.equal(201)
  })
})

async function begin({ url, token }: TestApp, sent: Uint8Array): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  await once(socket, 'connect')
  socket.write(
    `POST /api/upload HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Length: 900000\r\n` +
      'Content-Type: multipart/form-data; boundary=cut\r\n\r\n' +
      '--cut\r\nContent-Disposition: form-data; name="files"; filename="cut.bin"\r\n\r\n',
  )
  await new Promise<void>((resolve) => void socket.write(sent, () => resolve()))
  return socket
}
