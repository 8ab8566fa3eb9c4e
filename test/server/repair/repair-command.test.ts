import { expect } from 'chai'
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { testDatabaseUri } from '../../support/database.js'
import type { TestApp } from '../../support/start-app.js'
import { startApp } from '../../support/start-app.js'

const script = fileURLToPath(new URL('../../../scripts/repair.js', import.meta.url))

describe('npm run repair', () => {
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
      execFile(process.execPath, [script, ...options], { env }, (error, stdout, stderr) =>
        resolve({ code: error === null ? 0 : error.code, stdout, stderr }),
      )
    })

  it('tells with --check, mends without, and finds nothing afterwards, beside a running service', async function () {
    const { token, request } = app
    const { body } = await request('POST', '/api/articles', {
      token,
      body: { data: { title: 'Left behind' } },
    })
    const { documentId } = (body as { data: { documentId: string } }).data
    // As a delete leaves it that was cut off after its first step.
    await app.quire.services.db.collection('articles.draft').deleteOne({ documentId })
    const line = `articles: 1 × published versions without a draft, removed (${documentId})`
    expect(await run('--check')).to.deep.equal({
      code: 1,
      stdout: `${line}\nNothing was changed. To mend this: npm run repair\n`,
      stderr: '',
    })
    expect(await request('GET', `/api/articles/${documentId}`, { token })).to.include({
      status: 200,
    })
    expect(await run()).to.deep.equal({ code: 0, stdout: `${line}\nRepaired.\n`, stderr: '' })
    expect(await request('GET', `/api/articles/${documentId}`, { token })).to.include({
      status: 404,
    })
    const inOrder = { code: 0, stdout: 'The content is in order.\n', stderr: '' }
    expect(await run()).to.deep.equal(inOrder)
    expect(await run('--check')).to.deep.equal(inOrder)
  })

  it('refuses an option that it does not know', async () => {
    const { code, stderr } = await run('--mend')
    expect([code, stderr]).to.deep.equal([1, "Unknown option '--mend'\n"])
  })
})
