import { expect } from 'chai'
import type { RecordedIndex } from '../../../engine/database/recorded-indexes.js'
import { recordedIndexes } from '../../../engine/database/recorded-indexes.js'
import { eventually } from '../database/support.js'
import { collectLines } from '../../support/log-lines.js'
import { startApp } from '../../support/start-app.js'
import type { TestApp } from '../../support/test-app.js'

const _id = 'f00d'
const record: RecordedIndex = {
  ...{ _id, collection: 'articles', uid: 'api::article.article', version: 0 },
  ...{ name: 'quire_locale+title+-_id', fields: ['locale', 'title', '_id'], descending: ['_id'] },
  ...{ state: 'advised', choice: null, attempts: 0, failure: 'There was no room' },
  serves: [
    { equal: ['locale'], ranges: [], sort: ['title', '-_id'], counted: true },
    { equal: ['kind', 'locale'], ranges: ['title'], sort: ['_id'], counted: false },
  ],
  ...{ reads: 500, savedMs: 9000, writeMs: 3, advisedAt: new Date(Date.now()) },
}

describe('/admin/indexes', function () {
  this.timeout(60_000)
  const { log, lines } = collectLines()
  let app: TestApp
  before(async () => {
    app = await startApp({ log, settings: { 'indexes.auto': 'advise' } })
  })
  after(() => app?.stop())
  beforeEach(async () => {
    const all = recordedIndexes(app.quire.services.db)
    await all.deleteMany({})
    await all.insertOne(record)
  })

  const send = (method: string, path: string, body?: object) =>
    app.request(method, path, { token: app.adminJwt, ...(body === undefined ? {} : { body }) })
  const choose = (choice: string) => send('PUT', `/admin/indexes/${_id}`, { choice })
  const state = async () => (await recordedIndexes(app.quire.services.db).findOne({ _id }))?.state
  const shown = {
    ...{ id: _id, contentType: 'api::article.article', collection: 'articles' },
    ...{ fields: ['locale', 'title', '-_id'], state: 'advised', choice: null },
    ...{ failure: 'There was no room', serves: record.serves },
    brings: { reads: 500, milliseconds: 9000 },
    costs: { bytes: null, milliseconds: 3, buildMilliseconds: null },
    ...{ advisedAt: record.advisedAt.toISOString(), madeAt: null, usedAt: null },
  }

  it('lists the automatic indexes with their reason, benefit and cost', async () => {
    const { status, body } = await send('GET', '/admin/indexes')
    expect([status, body]).to.deep.equal([
      200,
      {
        data: [shown],
        meta: { auto: 'advise', perCollection: 8, maxBytes: 268_435_456, bytes: 0 },
      },
    ])
  })

  it('creates a pinned index, and drops a forbidden one', async () => {
    const open = Object.fromEntries(Object.entries(shown).filter(([key]) => key !== 'failure'))
    const { status, body } = await choose('pinned')
    expect([status, body]).to.deep.equal([200, { data: { ...open, choice: 'pinned' } }])
    await eventually(async () => (await state()) === 'made')
    const { db } = app.quire.services
    const names = async () =>
      (await db.collection('articles').listIndexes().toArray()).map(({ name }) => name as string)
    expect(await names()).to.include(record.name)
    await choose('forbidden')
    await eventually(async () => !(await names()).includes(record.name))
    const entries = lines.map((line) => JSON.parse(line) as { event?: string; by?: string })
    expect(entries.filter(({ event }) => event === 'index-chosen')).to.have.length(2)
    expect(entries.find(({ event }) => event === 'index-chosen')?.by).to.equal('admin 1')
    const { body: none } = await choose('none')
    expect((none as { data: { choice: unknown } }).data.choice).to.equal(null)
  })

  it('rejects unknown choices, keys and indexes', async () => {
    const unknown = await choose('pined')
    expect(unknown.status).to.equal(400)
    expect(unknown.body).to.deep.include({ data: null })
    const { error } = unknown.body as { error: { message: string; details: object } }
    expect(error.message).to.equal('choice must be one of pinned, forbidden, none')
    expect(error.details).to.deep.include({ suggestion: 'pinned' })
    const stranger = await send('PUT', `/admin/indexes/${_id}`, { choise: 'pinned' })
    expect(stranger.status).to.equal(400)
    expect((stranger.body as { error: { message: string } }).error.message).to.equal(
      'Invalid key choise. The body can only have choice',
    )
    const missing = await send('PUT', '/admin/indexes/other', { choice: 'pinned' })
    expect(missing.status).to.equal(404)
  })
})
