import { expect } from 'chai'
import { MongoClient } from 'mongodb'
import { testDatabaseUri } from '../../support/database.js'
import { startApp } from '../../support/start-app.js'
import type { TestApp } from '../../support/test-app.js'

const page = {
  kind: 'collectionType',
  info: { singularName: 'page', pluralName: 'pages', displayName: 'Page' },
  options: { draftAndPublish: true },
  attributes: {
    part: { type: 'component', component: 'shared.part' },
    parts: { type: 'component', component: 'shared.part', repeatable: true },
    zone: { type: 'dynamiczone', components: ['shared.part'] },
  },
}
const part = {
  info: { displayName: 'Part' },
  attributes: {
    price: { type: 'decimal' },
    secret: { type: 'string', private: true },
  },
}
const schema = { 'content-types/page.json': page, 'components/shared/part.json': part }
const exact = '12345678901234567890.123456789'

describe('exported table that is imported again', function () {
  this.timeout(60_000)
  let app: TestApp
  let client: MongoClient
  let documentId: string
  before(async () => {
    const databaseUri = await testDatabaseUri()
    app = await startApp({ schema, databaseUri })
    client = await MongoClient.connect(databaseUri)
    const one = (secret: string) => ({ price: exact, secret })
    const data = {
      ...{ part: one('secret A'), parts: [one('secret B'), one('secret C')] },
      zone: [{ __component: 'shared.part', ...one('secret D') }],
    }
    const { body } = await app.request('POST', '/api/pages', { token: app.token, body: { data } })
    documentId = (body as { data: { documentId: string } }).data.documentId
  })
  after(async () => {
    await client?.close()
    await app?.stop()
  })

  const headers = () => ({ Authorization: `Bearer ${app.adminJwt}` })
  const exported = async (search: string) => {
    const path = `/admin/content/page/export${search}`
    return (await fetch(`${app.url}${path}`, { headers: headers() })).text()
  }
  const imported = async (text: string, search: string): Promise<unknown> => {
    const body = new FormData()
    body.append('file', new Blob([text]), 'entries')
    const url = `${app.url}/admin/content/page/import${search}`
    const answer = await fetch(url, { method: 'POST', headers: headers(), body })
    return ((await answer.json()) as { data: unknown }).data
  }
  const secrets = async (): Promise<readonly string[]> => {
    const found = new Set<string>()
    for (const { collectionName } of await client.db().collections()) {
      const all = await client.db().collection(collectionName).find().toArray()
      for (const [secret] of JSON.stringify(all).matchAll(/secret [A-Z]/g)) found.add(secret)
    }
    return [...found].sort()
  }

  for (const format of ['csv', 'json', 'jsonl'])
    for (const status of ['published', 'draft'])
      it(`changes nothing as ${format}, ${status}: components keep their ids, digits and private values`, async () => {
        const search = `?format=${format}&status=${status}`
        const table = await exported(search)
        expect(table.split(exact)).to.have.length(5)
        expect(table).to.not.include('secret').and.not.include('"text')
        const report = await imported(table, search)
        expect(report).to.deep.include({ updated: 1, failed: 0, errors: [] })
        expect(await exported(search)).to.equal(table)
        expect(await secrets()).to.deep.equal(['secret A', 'secret B', 'secret C', 'secret D'])
      })

  it('keeps all digits of numbers in components, and adds components with unknown ids', async () => {
    const parts = `[{"id":999999,"price":${exact}},{"price":1}]`
    const cells = `${documentId},"${parts.replaceAll('"', '""')}"`
    const report = await imported(`documentId,parts\n${cells}`, '')
    expect(report).to.deep.include({ updated: 1, failed: 0, errors: [] })
    const [row] = JSON.parse(await exported('?format=json')) as { parts: { price: unknown }[] }[]
    expect(row?.parts.map(({ price }) => String(price))).to.deep.equal([exact, '1'])
  })

  it('reports too deeply nested JSON as an error of its row', async () => {
    const deep = '['.repeat(200) + ']'.repeat(200)
    const report = await imported(`documentId,parts\n${documentId},${deep}`, '')
    expect(report).to.deep.include({ failed: 1, next: null, error: null })
  })
})
