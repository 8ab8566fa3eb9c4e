import { expect } from 'chai'
import { hastened } from '../../support/later.js'
import type { TestApp } from '../../support/test-app.js'
import {
  askForExport,
  createNote,
  exporterOf,
  foldersOf,
  goOn,
  pause,
  startNotes,
  untilReading,
} from './many-notes.js'

describe('writes that wait for an export', function () {
  this.timeout(120_000)
  let app: TestApp
  const times = { 'api.rest.writeTimeoutMs': 2000, 'api.rest.queryTimeoutMs': 5000 }
  before(async () => (app = await startNotes(times)))
  after(() => app.stop())

  it('are refused after the write timeout, and the export continues', async () => {
    const answering = askForExport(app)
    const exporter = await exporterOf(process.pid)
    await untilReading(app.dataDir)
    pause(exporter)
    const { status, headers, body } = await createNote(app, 'Too late')
    goOn(exporter)
    expect(status).to.equal(503)
    expect(headers.get('retry-after')).to.match(/^[1-9]\d?$/)
    expect((body as { error: object }).error).to.have.deep.property('details', {
      outcome: 'not-done',
    })
    const answer = await answering
    expect(answer.status).to.equal(200)
    await answer.arrayBuffer()
    expect((await createNote(app, 'Again')).status).to.equal(201)
    const found = await app.request('GET', '/api/notes?filters[title]=Too late', {
      token: app.token,
    })
    expect((found.body as { data: unknown }).data).to.deep.equal([])
  })

  it('continue after the query timeout if the export reads nothing, and the export ends', async () => {
    const answering = askForExport(app)
    const exporter = await exporterOf(process.pid)
    await untilReading(app.dataDir)
    pause(exporter)
    const answer = await hastened(times['api.rest.queryTimeoutMs'] / 1000, answering)
    expect(answer.status).to.equal(503)
    expect(answer.headers.get('retry-after')).to.equal('30')
    expect(await answer.text()).to.include('The database does not respond to the export')
    expect((await createNote(app, 'After it')).status).to.equal(201)
    expect(await foldersOf(app.dataDir)).to.deep.equal([])
  })
})
