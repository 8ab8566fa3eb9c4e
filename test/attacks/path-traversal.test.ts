import { readdir } from 'node:fs/promises'
import { expect } from 'chai'
import { rawRequest } from '../support/raw-request.js'
import { startApp, type TestApp } from '../support/start-app.js'

const names = [
  '../../../etc/passwd',
  '..\\..\\windows\\win.ini',
  '/etc/passwd',
  'a/../../b.txt',
  '....//....//b.txt',
  '.htaccess',
  'con.txt',
  'a\u0000.txt',
  `${'a'.repeat(5000)}.txt`,
  '%2e%2e%2fb.txt',
  '.',
  '',
]

describe('path in a file name', () => {
  let app: TestApp
  before(async () => {
    app = await startApp()
  })
  after(() => app.stop())

  for (const name of names) {
    it(`is refused, or replaced by a safe URL: ${JSON.stringify(name.slice(0, 30))}`, async () => {
      const form = new FormData()
      form.append('files', new Blob(['text'], { type: 'text/plain' }), name)
      form.append('fileInfo', JSON.stringify({ name }))
      const answer = await app.request('POST', '/api/upload', { token: app.token, body: form })
      if (answer.status !== 201) return expect(answer.status).to.equal(400)
      const [file] = answer.body as { url: string }[]
      expect(file?.url).to.match(/^\/uploads\/[a-z0-9_-]{1,128}(\.[A-Za-z0-9]{1,16})?$/)
      const served = await app.request('GET', file?.url ?? '')
      expect([served.status, served.text]).to.deep.equal([200, 'text'])
    })
  }

  it('keeps every uploaded file directly in the folder of uploads', async () => {
    const { db } = app.quire.services
    const stored = await db.collection<{ url: string }>('upload_files').find().toArray()
    expect(stored.length).to.be.above(5)
    for (const { url } of stored) expect(url).to.match(/^\/uploads\/[^/]+$/)
    expect(await readdir('/etc')).not.to.include('b.txt')
  })

  it('reads no file outside the folder of uploads', async () => {
    for (const path of [
      '/uploads/../package.json',
      '/uploads/..%2fpackage.json',
      '/uploads/%2e%2e%2f%2e%2e%2fetc%2fpasswd',
      '/uploads/..%5c..%5cetc%5cpasswd',
      '/uploads/%252e%252e%252fpackage.json',
      '/uploads//etc/passwd',
      '/uploads/.env',
      '/uploads/a.txt%00.png',
      '/uploads/..;/package.json',
    ]) {
      const request = `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`
      const { status, body } = await rawRequest(app.url, request)
      expect(status, path).to.be.oneOf([400, 404])
      expect(body, path).to.have.property('error')
    }
  })
})
