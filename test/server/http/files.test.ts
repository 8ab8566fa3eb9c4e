import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { notFound } from '../../support/error-body.js'
import { startHttp, type RunningHttp } from '../../support/start-http.js'

describe('replies that send a stored file', () => {
  let root: string
  let http: RunningHttp
  before(async () => {
    root = await mkdtemp(join(tmpdir(), 'quire-files-'))
    await writeFile(join(root, 'note.txt'), '0123456789')
    await writeFile(join(root, '.hidden'), 'secret')
    http = await startHttp({
      routes: [
        {
          method: 'GET',
          path: '/files/:name',
          guard: { kind: 'open' },
          handle: ({ params }) => ({
            status: 200,
            headers: { 'Content-Type': 'text/plain; charset=utf-8', Vary: 'Authorization' },
            file: { root, path: params['name'] ?? '' },
          }),
        },
      ],
    })
  })
  after(async () => {
    await http.stop()
    await rm(root, { recursive: true })
  })

  it('have its bytes, its date and the headers of the reply', async () => {
    const answer = await http.send('GET', '/files/note.txt')
    expect(answer.status).to.equal(200)
    expect(answer.text).to.equal('0123456789')
    expect(answer.headers.get('content-type')).to.equal('text/plain; charset=utf-8')
    expect(answer.headers.get('last-modified')).to.be.a('string')
    expect(answer.headers.get('vary')).to.equal('Authorization')
  })

  it('answer ranges, HEAD and conditional requests', async () => {
    const get = (headers: Record<string, string>) =>
      http.send('GET', '/files/note.txt', { headers })
    const part = await get({ Range: 'bytes=2-4' })
    expect([part.status, part.text]).to.deep.equal([206, '234'])
    const beyond = await get({ Range: 'bytes=20-' })
    expect(beyond.status).to.equal(416)
    expect(beyond.body).to.have.nested.property('error.name', 'RangeNotSatisfiableError')
    const head = await http.send('HEAD', '/files/note.txt')
    expect([head.text, head.headers.get('content-length')]).to.deep.equal(['', '10'])
    // fetch would ask for a fresh answer by itself.
    const plain = { 'Cache-Control': 'max-age=0' }
    const modified = head.headers.get('last-modified') ?? ''
    expect((await get({ ...plain, 'If-Modified-Since': modified })).status).to.equal(304)
  })

  it('are 404 for what is not there, hidden, or elsewhere', async () => {
    for (const name of [
      'none.txt',
      '.hidden',
      '..%2f..%2fetc%2fpasswd',
      '%2e%2e%2fx',
      'a%5c..%5cb',
    ]) {
      const answer = await http.send('GET', `/files/${name}`)
      expect(answer.status, name).to.equal(404)
      expect(answer.body).to.deep.equal(notFound)
      expect(answer.headers.get('content-type')).to.equal('application/json; charset=utf-8')
    }
  })
})
