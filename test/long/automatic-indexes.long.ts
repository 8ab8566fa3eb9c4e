import { expect } from 'chai'
import { eventually } from '../server/database/support.js'
import { startApp } from '../support/start-app.js'
import type { TestApp } from '../support/test-app.js'

describe('automatic indexing', function () {
  this.timeout(120_000)
  const attributes = {
    title: { type: 'string' },
    kind: { type: 'enumeration', enum: ['essay', 'report'] },
    rank: { type: 'integer' },
  }
  const info = { singularName: 'note', pluralName: 'notes', displayName: 'Note' }
  const schema = {
    'content-types/note.json': {
      ...{ kind: 'collectionType', collectionName: 'notes', info, attributes },
      options: { draftAndPublish: false },
    },
  }
  let app: TestApp
  before(async () => {
    app = await startApp({ schema })
    const at = new Date()
    const notes = Array.from({ length: 20_000 }, (_, index) => ({
      ...{ _id: index, documentId: `note${index}`, locale: null, _revision: 1, _stamps: {} },
      ...{ createdAt: at, updatedAt: at, publishedAt: at, createdBy: null, updatedBy: null },
      ...{ title: `Title ${index}`, kind: 'essay', rank: (index * 7919) % 20_000 },
    }))
    await app.quire.services.db.collection<{ _id: number }>('notes').insertMany(notes)
  })
  after(() => app?.stop())

  it('creates an index for a frequent query, and lists it', async () => {
    const sendQuery = (more = '') =>
      app.request('GET', `/api/notes?sort=rank&filters[rank][$gte]=10${more}`, {
        token: app.token,
      })
    const before = await sendQuery()
    expect(before.status).to.equal(200)
    // Requests different pages, because Quire caches the total of a query for a second.
    const isIndexed = async (): Promise<boolean> => {
      for (let page = 1; page <= 30; page += 1) await sendQuery(`&pagination[page]=${page}`)
      const { body } = await app.request('GET', '/admin/indexes', { token: app.adminJwt })
      const { data } = body as { data: readonly { state: string; fields: unknown }[] }
      return data.some(({ state }) => state === 'made')
    }
    await eventually(isIndexed, 100_000)
    const explained = await sendQuery('&explain=true')
    const { pipelines } = (explained.body as { data: { pipelines: readonly object[] } }).data
    for (const pipeline of pipelines)
      expect(pipeline).to.deep.include({ indexes: [['rank', '_id']] })
    expect((await sendQuery()).body).to.deep.equal(before.body)
  })
})
