import { expect } from 'chai'
import type { ImportReport } from '../../../server/tables/import-rows.js'
import type { Settings } from '../../../server/settings/settings.js'
import { startApp } from '../../support/start-app.js'
import type { TestApp } from '../../support/test-app.js'

const note = {
  kind: 'collectionType',
  info: { singularName: 'note', pluralName: 'notes', displayName: 'Note' },
  attributes: {
    title: { type: 'string' },
    writer: { type: 'relation', relation: 'manyToOne', target: 'api::writer.writer' },
  },
}
const writer = {
  kind: 'collectionType',
  info: { singularName: 'writer', pluralName: 'writers', displayName: 'Writer' },
  attributes: { email: { type: 'string', unique: true } },
}
const schema = { 'content-types/note.json': note, 'content-types/writer.json': writer }

async function withApp(
  settings: Partial<Settings>,
  work: (
    imported: (text: string, search?: string, type?: string) => Promise<ImportReport>,
  ) => Promise<void>,
): Promise<void> {
  const app: TestApp = await startApp({ schema, settings })
  try {
    await work(async (text, search = '', type = 'note') => {
      const body = new FormData()
      body.append('file', new Blob([text]), 'entries')
      const headers = { Authorization: `Bearer ${app.adminJwt}` }
      const url = `${app.url}/admin/content/${type}/import${search}`
      const answer = await fetch(url, { method: 'POST', headers, body })
      const responseText = await answer.text()
      expect(answer.status, responseText).to.equal(200)
      return (JSON.parse(responseText) as { data: ImportReport }).data
    })
  } finally {
    await app.stop()
  }
}

const titles = (count: number) => Array.from({ length: count }, (_, at) => `Title ${at}`)

describe('table import', function () {
  this.timeout(60_000)

  it('reports what was done, the error and the next row if the file breaks off', () =>
    withApp({}, async (imported) => {
      const { error, ...report } = await imported(['title', ...titles(30), '"x'].join('\n'))
      expect(report).to.deep.equal({
        ...{ rows: 20, created: 20, updated: 0, failed: 0, errors: [], next: 21 },
      })
      expect(error).to.match(/^The file is not CSV: /)
    }))

  it('reports an invalid reference as an error of its row, and writes the other rows', () =>
    withApp({}, async (imported) => {
      await imported('email\na\nb', '', 'writer')
      const rows = ['one,a', `two,${'x'.repeat(5000)}`, 'three,b', 'four,c']
      const report = await imported(['title,writer.email', ...rows].join('\n'))
      expect(report).to.deep.include({ rows: 4, created: 2, failed: 2, next: null, error: null })
      const [long, missing] = report.errors
      expect(long?.row).to.equal(2)
      expect(long?.errors[0]).to.match(/^writer\.email: .*4096/)
      expect(missing).to.deep.equal({
        ...{ row: 4, errors: ['writer.email: there is no api::writer.writer whose email is "c"'] },
      })
    }))

  it('finds references even if lists and arrays in queries have low limits', async () => {
    for (const limit of ['api.rest.maxLimit', 'api.rest.maxArrayLength'] as const)
      await withApp({ [limit]: 3 }, async (imported) => {
        await imported(['email', ...titles(10)].join('\n'), '', 'writer')
        const rows = titles(10).map((title) => `${title},${title}`)
        const report = await imported(['title,writer.email', ...rows].join('\n'))
        expect(report).to.deep.include({ created: 10, failed: 0, errors: [] })
      })
  })

  it('makes progress even with a short write timeout', () =>
    withApp({ 'api.rest.writeTimeoutMs': 1999 }, async (imported) => {
      const report = await imported('title\nOne')
      expect(report).to.deep.include({ rows: 1, created: 1, next: null })
    }))
})
