import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { textLinesOf } from '../../../server/backup/archive/read-lines.js'
import { readArchive } from '../../../server/backup/read-archive.js'
import type { TestApp } from '../../support/test-app.js'
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

describe('GET /admin/export with the embedded engine', function () {
  this.timeout(120_000)
  let app: TestApp
  before(async () => (app = await startNotes()))
  after(() => app.stop())

  const requestExport = (search?: string, signal?: AbortSignal) => askForExport(app, search, signal)
  const hasFolders = async (): Promise<boolean> => (await foldersOf(app.dataDir)).length > 0
  const create = (title: string) => createNote(app, title)

  it('delays a write during the export, and exports the content from before', async () => {
    const answering = requestExport()
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
    await eventually(async () => !(await hasFolders()))
  })

  it('runs one export at a time, and an aborted one releases writes and leaves no files', async () => {
    const leaving = new AbortController()
    const first = requestExport('?format=tar', leaving.signal).catch((error: unknown) => error)
    const exporter = await exporterOf(process.pid)
    await untilReading(app.dataDir)
    pause(exporter)
    const second = await requestExport()
    expect(second.status).to.equal(503)
    expect(second.headers.get('retry-after')).to.equal('30')
    expect(await second.text()).to.match(/Another export of this service is in progress/)
    leaving.abort()
    expect(await first).to.be.instanceOf(Error)
    expect((await create('After it')).status).to.equal(201)
    await eventually(async () => !(await hasFolders()))
    let third = await requestExport('?only=schema')
    await eventually(async () => {
      if (third.status === 503) third = await requestExport('?only=schema')
      return third.status !== 503
    })
    expect(third.status).to.equal(200)
    expect(third.headers.get('content-type')).to.equal('application/gzip')
    expect((await third.arrayBuffer()).byteLength).to.be.above(500)
  })

  it('releases writes if the client cancels after the first bytes', async () => {
    const answer = await requestExport()
    const reader = (answer.body as ReadableStream<Uint8Array> | null)?.getReader()
    expect((await reader?.read())?.value?.byteLength).to.be.above(0)
    await reader?.cancel()
    expect((await create('While nobody reads')).status).to.equal(201)
    await eventually(async () => !(await hasFolders()))
    const next = await requestExport('?only=schema')
    expect(next.status).to.equal(200)
    await next.arrayBuffer()
  })

  it('refuses callers that are not admins, and invalid parameters', async () => {
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
      const refused = await requestExport(search)
      expect(refused.status, search).to.equal(400)
      expect(await refused.text()).to.match(says)
    }
  })
})
