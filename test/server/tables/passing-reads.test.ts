import { expect } from 'chai'
import { startApp } from '../../support/start-app.js'
import type { TestApp } from '../../support/test-app.js'

const note = {
  kind: 'collectionType',
  info: { singularName: 'note', pluralName: 'notes', displayName: 'Note' },
  attributes: { title: { type: 'string' } },
}

describe('response cache and query cache', function () {
  this.timeout(60_000)
  let app: TestApp
  before(async () => {
    app = await startApp({
      schema: { 'content-types/note.json': note },
      settings: { 'database.exclusive': true, 'metrics.enabled': true },
    })
    const rows = Array.from({ length: 250 }, (_, at) => `note ${at}`)
    const path = '/admin/content/note/import?format=csv'
    const form = new FormData()
    form.append('file', new Blob([['title', ...rows].join('\n')]), 'notes.csv')
    const { status } = await app.request('POST', path, { token: app.adminJwt, body: form })
    expect(status).to.equal(200)
  })
  after(() => app?.stop())

  const cacheSizes = async () => {
    const { text } = await app.request('GET', '/metrics')
    const numberOf = (name: string): number =>
      Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1])
    return {
      answers: numberOf('quire_answer_memory_entries'),
      queries: numberOf('quire_query_cache_entries{level="text"}'),
    }
  }

  it('do not store the pages of a table export', async () => {
    await app.request('GET', '/api/notes', { token: app.token })
    const before = await cacheSizes()
    expect(before.answers).to.be.above(0)
    expect(before.queries).to.be.above(0)
    const path = '/admin/content/note/export?format=csv'
    const { text } = await app.request('GET', path, { token: app.adminJwt })
    expect(text.trim().split('\n')).to.have.length(251)
    expect(await cacheSizes()).to.deep.equal(before)
  })
})
