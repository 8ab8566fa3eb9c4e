import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { textLinesOf } from '../../../server/backup/archive/read-lines.js'
import { readArchive } from '../../../server/backup/read-archive.js'
import type { TestApp } from '../../support/start-app.js'
import { eventually } from '../database/support.js'
import {
  askForExport,
  createNote,
  exporterOf,
  foldersOf,
  pause,
  startNotes,
  untilReading,
} from './many-notes.js'

describe('GET /admin/export of a service that has the embedded engine', function () {
  this.timeout(120_000)
  let app: TestApp
  before(async () => (app = await startNotes()))
  after(() => app.stop())

  const ask = (search?: string, signal?: AbortSignal) => askForExport(app, search, signal)
  const isThere = async (): Promise<boolean> => (await foldersOf(app.dataDir)).length > 0
  const create = (title: string) => createNote(app, title)

  it('lets a write that comes meanwhile wait, and shows what was there before', async () => {
    const answering = ask()
    await untilReading(app.dataDir)
    const writing = create('Came later')
    const health = await fetch(`${app.url}/_health`)
    expect(health.status).to.equal(204)
    const answer = await answering
    expect(answer.status).to.equal(200)
    expect((await writing).status).to.equal(201)
    const file = join(app.dataDir, 'archive.tar')
    await writeFile(file, Buffer.from(await answer.arrayBuffer()))
    let later = 0
    const { manifest, end } = await readArchive(file, async ({ member, file: content }) => {
      if (member.kind === 'entries')
        for await (const { text } of textLinesOf(content))
          if (text.includes('Came later')) later += 1
    })
    expect(manifest).to.include({ moment: 'alone', secrets: false })
    expect(later).to.equal(0)
    expect(end.entries['api::note.note']).to.deep.equal({ published: 20_001, drafts: 0 })
    await eventually(async () => !(await isThere()))
  })

  it('does one at a time, and what its client leaves lets writes go on and leaves nothing', async () => {
    const leaving = new AbortController()
    const first = ask('?format=tar', leaving.signal).catch((error: unknown) => error)
    const exporter = await exporterOf(process.pid)
    await untilReading(app.dataDir)
    pause(exporter)
    const second = await ask()
    expect(second.status).to.equal(503)
    expect(second.headers.get('retry-after')).to.equal('30')
    expect(await second.text()).to.match(/Another export of this service is in progress/)
    leaving.abort()
    expect(await first).to.be.instanceOf(Error)
    expect((await create('After it')).status).to.equal(201)
    await eventually(async () => !(await isThere()))
    let third = await ask('?only=schema')
    await eventually(async () => {
      if (third.status === 503) third = await ask('?only=schema')
      return third.status !== 503
    })
    expect(third.status).to.equal(200)
    expect(third.headers.get('content-type')).to.equal('application/gzip')
    expect((await third.arrayBuffer()).byteLength).to.be.above(500)
  })

  it('lets writes go on when its client leaves after the first of it', async () => {
    const answer = await ask()
    const reader = (answer.body as ReadableStream<Uint8Array> | null)?.getReader()
    expect((await reader?.read())?.value?.byteLength).to.be.above(0)
    await reader?.cancel()
    expect((await create('While nobody reads')).status).to.equal(201)
    await eventually(async () => !(await isThere()))
    const next = await ask('?only=schema')
    expect(next.status).to.equal(200)
    await next.arrayBuffer()
  })

  it('refuses whoever is no admin, and what it does not understand', async () => {
    expect((await app.request('GET', '/admin/export', { token: app.token })).status).to.equal(401)
    for (const [search, says] of [
      ['?secrets=true', /quire export --secrets/],
      ['?only=nonsense', /There is no part or content-type \\"nonsense\\"\. Parts are/],
      ['?only=shcema', /\\"shcema\\"; did you mean \\"schema\\"\? Parts are/],
      ['?exclude=plugin::upload.fiel', /; did you mean \\"plugin::upload.file\\"\? Parts are/],
      ['?format=zip', /format must be one of tar, tar.gz, tar.zst/],
      ['?onyl=schema', /onyl/],
      ['?only=schema&only=media', /only was given more than once/],
    ] as const) {
      const refused = await ask(search)
      expect(refused.status, search).to.equal(400)
      expect(await refused.text()).to.match(says)
    }
  })
})
