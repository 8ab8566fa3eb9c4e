import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { sendPurge } from '../../server/purging/send-purge.js'
import { purgeSecret } from '../support/purge-server.js'

const receiver = fileURLToPath(new URL('../../../deploy/cdn/purge-receiver.mjs', import.meta.url))

describe('deploy/cdn/purge-receiver.mjs', () => {
  const received: Readonly<{ line: string; keys: unknown; credentials: unknown }>[] = []
  let status = 200
  const cdn = createServer((request, response) => {
    const { method, url, headers } = request
    void text(request).then((body) => {
      const keys =
        headers['surrogate-key'] ?? headers['xkey-purge'] ?? (JSON.parse(body) as unknown)
      const credentials = headers['fastly-key'] ?? headers.authorization
      received.push({ line: `${method} ${url}`, keys, credentials })
      response.writeHead(status).end('{}')
    })
  })
  let address: string
  let running: ChildProcess | undefined
  before(async () => {
    cdn.listen(0, '127.0.0.1')
    await once(cdn, 'listening')
    address = `http://127.0.0.1:${(cdn.address() as AddressInfo).port}`
  })
  beforeEach(() => void received.splice(0))
  afterEach(async () => {
    const ended = running?.exitCode === null ? once(running, 'exit') : undefined
    running?.kill()
    await ended
    status = 200
  })
  after(() => void cdn.close())

  const start = async (environment: Record<string, string>): Promise<string> => {
    const env = { PORT: '0', PURGE_SECRET: purgeSecret, ...environment }
    running = spawn(process.execPath, [receiver], { env, stdio: ['ignore', 'pipe', 'inherit'] })
    const [line] = (await once(running.stdout as NodeJS.ReadableStream, 'data')) as [Buffer]
    return `http://127.0.0.1:${/\d+/.exec(line.toString())?.[0]}/`
  }
  const send = (url: string, secret = purgeSecret) =>
    sendPurge({ url, secret }, ['quire', 'a1'], new AbortController().signal)

  for (const [name, environment, expected] of [
    [
      'fastly',
      () => ({ FASTLY_API: address, FASTLY_SERVICE: 's1', FASTLY_TOKEN: 't1' }),
      { line: 'POST /service/s1/purge', keys: 'quire a1', credentials: 't1' },
    ],
    [
      'cloudflare',
      () => ({ CLOUDFLARE_API: address, CLOUDFLARE_ZONE: 'z1', CLOUDFLARE_TOKEN: 't1' }),
      {
        line: 'POST /zones/z1/purge_cache',
        keys: { tags: ['quire', 'a1'] },
        credentials: 'Bearer t1',
      },
    ],
    [
      'varnish',
      () => ({ VARNISH_URL: `${address}/` }),
      { line: 'PURGE /', keys: 'quire a1', credentials: undefined },
    ],
  ] as const)
    it(`sends the keys to ${name}, and refuses requests with a wrong signature`, async () => {
      const url = await start({ CDN: name, ...environment() })
      expect(await send(url)).to.equal('done')
      expect(received).to.deep.equal([expected])
      const other = `whsec_${Buffer.alloc(33, 'x').toString('base64')}`
      expect(await send(url, other)).to.deep.equal({ reason: 'It answered 401', afterS: 0 })
      expect(received.length).to.equal(1)
    })

  it('returns 502 if the CDN responds with an error', async () => {
    const url = await start({ CDN: 'varnish', VARNISH_URL: `${address}/` })
    status = 500
    expect(await send(url)).to.deep.equal({ reason: 'It answered 502', afterS: 0 })
  })
})
