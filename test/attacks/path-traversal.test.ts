import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { errorBody, notFound } from '../support/error-body.js'
import { rawRequest } from '../support/raw-request.js'
import { startApp } from '../support/start-app.js'
import type { TestApp } from '../support/test-app.js'

const digits = '_[0-9a-f]{10}'
const isEmpty = errorBody(400, 'ValidationError', 'Files are empty', {})

/** File names, each with the pattern of the URL that the file gets, or with the response that refuses it. */
const names: readonly (readonly [name: string, expected: RegExp | object])[] = [
  ['../../../etc/passwd', url(`passwd${digits}.txt`)],
  ['..\\..\\windows\\win.ini', url(`win${digits}.ini`)],
  ['/etc/passwd', url(`passwd${digits}.txt`)],
  ['a/../../b.txt', url(`b${digits}.txt`)],
  ['....//....//b.txt', url(`b${digits}.txt`)],
  ['.htaccess', url(`htaccess${digits}.txt`)],
  ['con.txt', url(`con${digits}.txt`)],
  ['%2e%2e%2fb.txt', url(`2e_2e_2fb${digits}.txt`)],
  ['a\u0000.txt', errorBody(400, 'BadRequestError', 'Malformed part header')],
  [
    `${'a'.repeat(5000)}.txt`,
    errorBody(400, 'ValidationError', 'name must be at most 255 characters', {}),
  ],
  ['.', isEmpty],
  ['', isEmpty],
]

function url(name: string): RegExp {
  return new RegExp(`^/uploads/${name.replace('.', '\\.')}$`)
}

describe('path in a file name', () => {
  let app: TestApp
  before(async () => {
    app = await startApp()
  })
  after(() => app.stop())

  for (const [name, expected] of names)
    it(`is ${expected instanceof RegExp ? 'replaced by a safe URL' : 'refused'}: ${JSON.stringify(name.slice(0, 30))}`, async () => {
      const form = new FormData()
      form.append('files', new Blob(['text'], { type: 'text/plain' }), name)
      form.append('fileInfo', JSON.stringify({ name }))
      const answer = await app.request('POST', '/api/upload', { token: app.token, body: form })
      if (!(expected instanceof RegExp)) return expect(answer.body).to.deep.equal(expected)
      expect(answer.status, answer.text).to.equal(201)
      const [file] = answer.body as { url: string }[]
      expect(file?.url).to.match(expected)
      const served = await app.request('GET', file?.url ?? '')
      expect([served.status, served.text]).to.deep.equal([200, 'text'])
    })

  it('keeps every uploaded file directly in the folder of uploads', async () => {
    const { db } = app.quire.services
    const stored = await db.collection<{ url: string }>('upload_files').find().toArray()
    const kept = stored.map(({ url: at }) => at.replace('/uploads/', '')).sort()
    expect(kept).to.have.length(names.filter(([, expected]) => expected instanceof RegExp).length)
    const files = await readdir(app.dataDir, { recursive: true, withFileTypes: true })
    const found = files.filter((file) => kept.includes(file.name) && file.isFile())
    expect(found.map(({ name }) => name).sort()).to.deep.equal(kept)
    expect(new Set(found.map(({ parentPath }) => parentPath))).to.deep.equal(
      new Set([join(app.dataDir, 'uploads')]),
    )
    expect(files.filter(({ name }) => name === 'b.txt' || name === 'passwd')).to.deep.equal([])
  })

  it('reads no file outside the folder of uploads', async () => {
    const malicious = errorBody(400, 'BadRequestError', 'Malicious Path')
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
      const expected = path.includes('%00') ? malicious : notFound
      expect([status, body], path).to.deep.equal([expected.error.status, expected])
    }
  })
})
