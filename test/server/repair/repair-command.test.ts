import { expect } from 'chai'
import { execFile } from 'node:child_process'
import { testDatabaseUri } from '../../support/database.js'
import type { TestApp } from '../../support/test-app.js'
import { startApp } from '../../support/start-app.js'
import { quireCommand } from '../../support/quire-command.js'

describe('quire repair', () => {
  let app: TestApp
  let uri: string
  before(async () => {
    uri = await testDatabaseUri()
    app = await startApp({ databaseUri: uri })
  })
  after(() => app.stop())

  const run = (...options: readonly string[]) =>
    new Promise<{ code: unknown; stdout: string; stderr: string }>((resolve) => {
      const env = { PATH: process.env['PATH'], MONGODB_URI: uri }
      execFile(
        process.execPath,
        [quireCommand, 'repair', ...options],
        { env },
        (error, stdout, stderr) =>
          resolve({ code: error === null ? 0 : error.code, stdout, stderr }),
      )
    })

  it('reports problems with --check, repairs without it, and finds none afterwards', async function () {
    const { token, request } = app
    const { body } = await request('POST', '/api/articles', {
      token,
      body: { data: { title: 'Left behind' } },
    })
    const { documentId } = (body as { data: { documentId: string } }).data
    // Imitates a delete that was interrupted after its first step.
    await app.quire.services.db.collection('articles.draft').deleteOne({ documentId })
    const found = 'articles: 1 × published versions without a draft'
    expect(await run('--check')).to.deep.equal({
      code: 1,
      stdout: `${found} (${documentId})\nNothing was changed. To repair this: npm run repair\n`,
      stderr: '',
    })
    expect(await request('GET', `/api/articles/${documentId}`, { token })).to.include({
      status: 200,
    })
    expect(await run()).to.deep.equal({
      code: 0,
      stdout: `${found}, removed (${documentId})\nRepaired.\n`,
      stderr: '',
    })
    expect(await request('GET', `/api/articles/${documentId}`, { token })).to.include({
      status: 404,
    })
    const consistent = { code: 0, stdout: 'The content is consistent.\n', stderr: '' }
    expect(await run()).to.deep.equal(consistent)
    expect(await run('--check')).to.deep.equal(consistent)
  })

  it('removes nothing that concurrent writes created', async () => {
    const { token, request } = app
    let isOver = false
    const wrong: string[] = []
    const expected = new Map<string, string>()
    const send = async (method: string, path: string, data: object = {}) => {
      const { status, body, text } = await request(method, path, { token, body: { data } })
      if (status >= 300) wrong.push(`${method} ${path} ${text}`)
      return (body as { data: { documentId: string } } | undefined)?.data.documentId ?? ''
    }
    const write = async (number: number): Promise<void> => {
      for (let turn = 0; !isOver; turn += 1) {
        const author = await send('POST', '/api/authors', { name: `${number}` })
        const title = `${number} ${turn}`
        const id = await send('POST', '/api/articles', { title, author })
        await send('POST', `/api/articles/${id}/actions/unpublish`)
        await send('PUT', `/api/articles/${id}`, { title, author: null })
        await send('PUT', `/api/authors/${author}`, { articles: [id] })
        if (turn % 3 === 0) await send('DELETE', `/api/articles/${id}`)
        else expected.set(id, title)
      }
    }
    const writers = [1, 2, 3, 4].map(write)
    for (let round = 0; round < 3; round += 1) expect(await run()).to.include({ code: 0 })
    isOver = true
    await Promise.all(writers)
    expect(wrong).to.deep.equal([])
    expect(expected.size).to.be.greaterThan(0)
    for (const [id, title] of expected) {
      const { body } = await request('GET', `/api/articles/${id}?populate=author`, { token })
      expect(body, id).to.have.nested.property('data.title', title)
      expect(body, id).to.have.nested.property('data.author.documentId')
    }
    expect(await run('--check')).to.include({ stdout: 'The content is consistent.\n' })
  })

  it('refuses an unknown option', async () => {
    const { code, stderr } = await run('--mend')
    expect(code).to.equal(2)
    expect(stderr).to.match(/^error: unknown option '--mend'\n/)
  })
})
