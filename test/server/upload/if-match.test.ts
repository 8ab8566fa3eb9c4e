import { expect } from 'chai'
import { errorBody } from '../../support/error-body.js'
import { startApp } from '../../support/start-app.js'
import type { TestApp } from '../../support/test-app.js'
import { storedNames } from '../../support/stored-names.js'

type File = Readonly<{ id: number; url: string; caption: string | null }>

const failed = errorBody(
  412,
  'PreconditionFailedError',
  'The document was changed since it was read',
  {},
)

describe('If-Match header on files', () => {
  let app: TestApp
  let file: File
  before(async () => {
    app = await startApp()
  })
  after(() => app.stop())

  const formOf = (content: string | undefined, info: object) => {
    const body = new FormData()
    if (content !== undefined) body.append('files', new Blob([content]), 'a.txt')
    body.append('fileInfo', JSON.stringify(info))
    return body
  }
  const send = (
    method: string,
    path: string,
    ifMatch: string | undefined,
    body?: unknown,
    token = app.token,
  ) => {
    const headers: Record<string, string> = ifMatch === undefined ? {} : { 'If-Match': ifMatch }
    return app.request(method, path, { token, headers, ...(body === undefined ? {} : { body }) })
  }
  const tag = async (query = ''): Promise<string> => {
    const { headers } = await send('GET', `/api/upload/files/${file.id}${query}`, undefined)
    return headers.get('ETag') ?? ''
  }
  const read = async (): Promise<File> =>
    (await send('GET', `/api/upload/files/${file.id}`, undefined)).body as File
  const change = (ifMatch: string, caption: string) =>
    send('POST', `/api/upload?id=${file.id}`, ifMatch, formOf(undefined, { caption }))
  const replace = (ifMatch: string, content: string) =>
    send('POST', `/api/upload?id=${file.id}`, ifMatch, formOf(content, {}))
  const pendingRecords = () => app.quire.services.db.collection('_contents').countDocuments()

  beforeEach(async () => {
    const { body } = await send('POST', '/api/upload', undefined, formOf('first', {}))
    file = (body as readonly [File])[0]
  })

  it('accepts one of two concurrent changes of fileInfo with the same tag', async () => {
    const tagged = await tag('?fields=name')
    const answers = await Promise.all([change(tagged, 'One'), change(tagged, 'Two')])
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 412])
    expect(answers.find(({ status }) => status === 412)?.body).to.deep.equal(failed)
    expect((await change(await tag(), 'Three')).status).to.equal(200)
    expect(await read()).to.include({ caption: 'Three' })
  })

  it('returns 412 for a replacement if the file was changed since, and stores none of the new content', async () => {
    const tagged = await tag()
    await change('*', 'Meanwhile')
    const [stored, records] = [await storedNames(app.dataDir), await pendingRecords()]
    const { status, body } = await replace(tagged, 'second')
    expect([status, body]).to.deep.equal([412, failed])
    expect(await storedNames(app.dataDir)).to.deep.equal(stored)
    expect(await pendingRecords()).to.equal(records)
    expect(await (await fetch(app.url + file.url)).text()).to.equal('first')
  })

  it('accepts one of two concurrent replacements with the same tag, and stores nothing of the other', async () => {
    const tagged = await tag()
    const stored = await storedNames(app.dataDir)
    const answers = await Promise.all([replace(tagged, 'second'), replace(tagged, 'third')])
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 412])
    const won = answers[0]?.status === 200 ? 'second' : 'third'
    expect(await (await fetch(app.url + (await read()).url)).text()).to.equal(won)
    expect(await storedNames(app.dataDir)).to.have.length(stored.length + 1)
  })

  it('deletes a file only if it is unchanged', async () => {
    const tagged = await tag()
    await change(tagged, 'Meanwhile')
    const path = `/api/upload/files/${file.id}`
    expect((await send('DELETE', path, tagged)).body).to.deep.equal(failed)
    expect(await (await fetch(app.url + file.url)).text()).to.equal('first')
    expect((await send('DELETE', path, await tag())).status).to.equal(200)
  })

  it('applies to admin endpoints too', async () => {
    const tagged = await tag()
    await change(tagged, 'Meanwhile')
    const { adminJwt } = app
    const info = formOf(undefined, { caption: 'Late' })
    for (const [method, path, body] of [
      ['POST', `/upload?id=${file.id}`, info],
      ['DELETE', `/upload/files/${file.id}`, undefined],
      ['POST', '/upload/actions/bulk-delete', { fileIds: [file.id], folderIds: [] }],
    ] as const) {
      const answer = await send(method, path, tagged, body, adminJwt)
      expect(answer.body, path).to.deep.equal(failed)
    }
    expect(await read()).to.include({ caption: 'Meanwhile' })
  })

  it('returns 412 for the upload of a new file and for a malformed tag', async () => {
    const [stored, records, tagged] = [
      await storedNames(app.dataDir),
      await pendingRecords(),
      await tag(),
    ]
    const created = await send('POST', '/api/upload', tagged, formOf('new', {}))
    expect(created.body).to.deep.equal(failed)
    expect((await change('"nonsense"', 'No')).body).to.deep.equal(failed)
    expect(await storedNames(app.dataDir)).to.deep.equal(stored)
    expect(await pendingRecords()).to.equal(records)
  })
})
