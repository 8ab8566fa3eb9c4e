import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { expect } from 'chai'
import { notDone } from '../../../engine/errors.js'
import { chooseProvider } from '../../../server/upload/providers/create-providers.js'
import { createLocalProvider } from '../../../server/upload/providers/local.js'
import { serveRoute, type ServingStep } from '../../../server/upload/serve-route.js'
import type { StorageProvider } from '../../../server/upload/storage-provider.js'
import { notFound } from '../../support/error-body.js'
import { startHttp, type RunningHttp } from '../../support/start-http.js'

describe('serveRoute', () => {
  let root: string
  let chosen: StorageProvider
  let other: StorageProvider
  let http: RunningHttp | undefined
  before(async () => {
    root = await mkdtemp(join(tmpdir(), 'quire-serve-'))
    chosen = createLocalProvider(join(root, 'chosen'))
    other = { ...createLocalProvider(join(root, 'other')), name: 's3' }
    await put(chosen, 'both_0.txt', 'chosen')
    await put(other, 'both_0.txt', 'others')
    await put(other, 'only_0.txt', 'moved')
  })
  afterEach(() => http?.stop())
  after(() => rm(root, { recursive: true }))

  const put = (provider: StorageProvider, name: string, content: string) =>
    provider.put(name, Readable.from([Buffer.from(content)]), { mime: 'text/plain' })
  const start = async (made = [chosen, other], steps: readonly ServingStep[] = []) => {
    http = await startHttp({ routes: [serveRoute(chooseProvider('local', made), steps)] })
    return (name: string) => http!.send('GET', `/uploads/${name}`)
  }

  it('serves from the chosen provider first, then from the others, and returns 404 without any', async () => {
    const get = await start()
    expect((await get('both_0.txt')).text).to.equal('chosen')
    expect((await get('only_0.txt')).text).to.equal('moved')
    expect((await get('none_0.txt')).body).to.deep.equal(notFound)
  })

  it('gives content the same ETag in every provider', async () => {
    const get = await start()
    const before = (await get('only_0.txt')).headers.get('etag')
    await put(chosen, 'only_0.txt', 'moved')
    await other.remove('only_0.txt')
    expect((await get('only_0.txt')).headers.get('etag')).to.equal(before)
    expect(before).to.equal('"only_0.txt-5"')
  })

  it('tries the other providers if one fails, and returns 503 if none of them has the file', async () => {
    const failing: StorageProvider = {
      ...other,
      stat: () => Promise.reject(notDone('The store does not answer')),
    }
    const get = await start([chosen, failing])
    expect((await get('both_0.txt')).text).to.equal('chosen')
    const answer = await get('none_0.txt')
    expect(answer.status).to.equal(503)
    expect(answer.headers.get('retry-after')).to.equal('1')
  })

  it('serves a file from another provider while the first does not respond', async () => {
    const silent: StorageProvider = { ...chosen, stat: () => new Promise(() => undefined) }
    const get = await start([silent, other])
    expect((await get('both_0.txt')).text).to.equal('others')
  })

  it('returns 404 for invalid names without asking a provider', async () => {
    const get = await start([{ ...chosen, stat: () => Promise.reject(new Error('asked')) }])
    for (const name of ['.hidden', '..%2f..%2fetc%2fpasswd', '%2e%2e%2fx', 'a%5c..%5cb', 'a']) {
      const answer = await get(name)
      expect([answer.status, answer.body], name).to.deep.equal([404, notFound])
    }
  })

  it('lets each step change the served file, or respond with something else', async () => {
    const get = await start(
      [chosen, other],
      [
        ({ search }, served) =>
          search === 'away'
            ? { status: 302, headers: { Location: 'http://elsewhere.example/' } }
            : { ...served, headers: { ...served.headers, 'Cache-Control': 'private' } },
        ({ search }, served) => (search === 'width=4' ? { ...served, name: 'only_0.txt' } : served),
      ],
    )
    const plain = await get('both_0.txt')
    expect([plain.text, plain.headers.get('cache-control')]).to.deep.equal(['chosen', 'private'])
    const variant = await get('both_0.txt?width=4')
    expect([variant.text, variant.headers.get('cache-control')]).to.deep.equal(['moved', 'private'])
    const elsewhere = await get('both_0.txt?away')
    expect([elsewhere.status, elsewhere.headers.get('location')]).to.deep.equal([
      302,
      'http://elsewhere.example/',
    ])
  })
})
