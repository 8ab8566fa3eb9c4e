import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import { expect } from 'chai'
import { pino } from 'pino'
import { checkS3 } from '../../../server/upload/providers/check-s3.js'
import { createS3Provider } from '../../../server/upload/providers/s3.js'
import { openS3, type S3Options } from '../../../server/upload/providers/s3-client.js'
import { collectLines } from '../../support/log-lines.js'
import { s3Credentials, s3Server } from '../../support/s3-server.js'
import { describeProvider } from './describe-provider.js'

const about = { mime: 'application/octet-stream' }
const failureOf = (run: Promise<unknown>) =>
  run.then(
    () => undefined,
    (error: unknown) => error,
  )

async function realBucket() {
  const server = await s3Server()
  if (server === undefined) throw new Error('There is no S3 server')
  return server.makeBucket()
}

describe('S3 provider (needs the server from npm run services -- versitygw)', () => {
  before(async function () {
    if ((await s3Server()) === undefined) this.skip()
  })

  describeProvider('s3', async () => {
    const provider = createS3Provider(await realBucket())
    return { provider, close: async () => provider.close?.() }
  })

  it('stores files below the prefix, with the headers with which S3 serves them', async () => {
    const options = await realBucket()
    const provider = createS3Provider(options)
    await provider.put('a_0123456789.svg', Readable.from(['<svg/>']), { mime: 'image/svg+xml' })
    const { sdk, client } = await openS3(options)
    const found = await client.send(
      new sdk.HeadObjectCommand({ Bucket: options.bucket, Key: 'library/a_0123456789.svg' }),
    )
    expect(found).to.include({
      ContentType: 'image/svg+xml',
      ContentDisposition: 'attachment',
      CacheControl: 'public, max-age=31536000, immutable',
    })
  })

  it('creates signed links with content type and disposition, without the secret', async () => {
    const provider = createS3Provider(await realBucket())
    await provider.put('a.txt', Readable.from(['content']), about)
    const headers = { contentType: 'text/plain', contentDisposition: 'attachment' }
    const link = await provider.link?.('a.txt', headers, new Date(Date.now() + 60_000))
    const answer = await fetch(link ?? '')
    expect(await answer.text()).to.equal('content')
    expect(answer.headers.get('content-type')).to.equal('text/plain')
    expect(answer.headers.get('content-disposition')).to.equal('attachment')
    expect(
      (await fetch((link ?? '').replace(/Signature=.{6}/, 'Signature=000000'))).status,
    ).to.equal(403)
    expect(link).to.not.include(s3Credentials.secretAccessKey)
  })

  it('does not list unfinished uploads, and removes them when they are old', async () => {
    const options = await realBucket()
    const { sdk, client } = await openS3(options)
    const named = { Bucket: options.bucket, Key: 'library/a_0123456789.bin' }
    const { UploadId } = await client.send(new sdk.CreateMultipartUploadCommand(named))
    const Body = randomBytes(5 * 1024 ** 2)
    await client.send(new sdk.UploadPartCommand({ ...named, UploadId, PartNumber: 1, Body }))
    const provider = createS3Provider(options)
    for await (const { name } of provider.list()) expect.fail(name)
    expect(await provider.removeUnfinished(60_000)).to.equal(0)
    // With a negative age, the upload counts as old. The test does not wait, because the server's clock only has a
    // resolution of seconds.
    for (let time = 0; time < 2; time++)
      expect(await provider.removeUnfinished(-60_000, false)).to.equal(1)
    expect(await provider.removeUnfinished(-60_000)).to.equal(1)
    expect(await provider.removeUnfinished(-60_000)).to.equal(0)
  })

  it('keeps unfinished uploads whose names Quire would not generate', async () => {
    const options = await realBucket()
    const { sdk, client } = await openS3(options)
    const keys = ['a.bin', 'backup_2026.tar', 'sub/a_0123456789.bin'].map(
      (name) => `library/${name}`,
    )
    for (const Key of [...keys, 'library/a_0123456789.bin'])
      await client.send(new sdk.CreateMultipartUploadCommand({ Bucket: options.bucket, Key }))
    expect(await createS3Provider(options).removeUnfinished(-60_000)).to.equal(1)
    const query = { Bucket: options.bucket, Prefix: 'library/' }
    const { Uploads = [] } = await client.send(new sdk.ListMultipartUploadsCommand(query))
    expect(Uploads.map(({ Key }) => Key).sort()).to.deep.equal(keys.sort())
  })

  it('fails the start with a message that names the bucket if that does not exist', async () => {
    const options = await realBucket()
    const log = pino({ level: 'silent' })
    await checkS3(options, log)
    const failure = await failureOf(checkS3({ ...options, bucket: 'not-there' }, log))
    expect(failure)
      .to.be.instanceOf(Error)
      .and.have.property(
        'message',
        `Cannot store files: the bucket "not-there" (upload.s3.bucket) at ${options.endpoint} does not exist`,
      )
  })

  it('logs at the start that S3 rejects the credentials, without the secret', async () => {
    const { lines, log } = collectLines()
    const wrong = { accessKeyId: 'somebody', secretAccessKey: 'not-the-secret' }
    await checkS3({ ...(await realBucket()), credentials: wrong }, pino(log))
    expect(lines).to.have.length(1)
    expect(JSON.stringify(lines)).to.include('S3 refuses').and.not.include('not-the-secret')
  })
})

describe('S3 provider with a failing server', () => {
  const open = async (answer: RequestListener, timeoutMs = 30_000) => {
    const seen: string[] = []
    const server = createServer((request, response) => {
      seen.push(`${request.method} ${request.url?.split('?')[0]}`)
      answer(request, response)
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const options: S3Options = {
      ...{ bucket: 'media', region: 'us-east-1', endpoint: `http://127.0.0.1:${port}`, prefix: '' },
      ...{ forcePathStyle: true, timeoutMs, attempts: 2, sizeLimit: 2 ** 30 },
      credentials: s3Credentials,
    }
    const close = () => {
      server.closeAllConnections()
      server.close()
    }
    return { provider: createS3Provider(options), options, seen, close }
  }
  const notDone = { status: 503 }
  const put = (provider: ReturnType<typeof createS3Provider>, bytes: number) => {
    const content = Readable.from([randomBytes(bytes)])
    return failureOf(provider.put('a.bin', content, about))
  }

  // If no timeout is given, the default applies, which is long enough for a slow machine.
  for (const [what, answer, timeoutMs] of [
    ['answers 503', (_request, response) => response.writeHead(503, { Connection: 'close' }).end()],
    ['hangs', (request) => void request.resume(), 300],
    ['cuts the connection', (request) => void request.socket.destroy()],
  ] as readonly [string, RequestListener, number?][])
    it(`fails with 503 and Retry-After, and stores nothing, if the server ${what}`, async () => {
      const { provider, seen, close } = await open(answer, timeoutMs)
      for (const bytes of [10, 6_000_000]) {
        const failure = await put(provider, bytes)
        expect(failure).to.include(notDone)
        expect(failure).to.have.deep.property('headers', { 'Retry-After': '1' })
        expect(failure).to.have.deep.property('details', { outcome: 'not-done' })
      }
      // There are as many attempts as configured.
      expect(seen.filter((line) => line.startsWith('PUT')).length).to.equal(2)
      expect(seen).to.include('DELETE /media/a.bin')
      expect(await failureOf(provider.open('a.bin'))).to.include(notDone)
      expect(await failureOf(provider.stat('a.bin'))).to.include(notDone)
      expect(await failureOf(provider.remove('a.bin'))).to.include(notDone)
      close()
    })

  it('fails with 503 and aborts the multipart upload if the server rejects a later part', async () => {
    const { provider, seen, close } = await open((request, response) => {
      request.resume().on('end', () => {
        if (request.method === 'POST') {
          response.end(
            '<InitiateMultipartUploadResult><UploadId>u1</UploadId></InitiateMultipartUploadResult>',
          )
        } else if (request.url?.includes('partNumber=1&') === true) {
          response.setHeader('ETag', '"e"').end()
        } else response.writeHead(request.method === 'PUT' ? 503 : 204).end()
      })
    })
    expect(await put(provider, 12_000_000)).to.include(notDone)
    expect(seen.filter((line) => line === 'DELETE /media/a.bin').length).to.be.greaterThan(1)
    close()
  })

  it('fails a read with 503 if the server stops sending midway', async () => {
    const { provider, close } = await open((_request, response) => {
      response.writeHead(200, { 'Content-Length': '1000' }).write('begin')
    }, 300)
    const stream = await provider.open('a.bin')
    let read = ''
    const failure = await failureOf(
      (async () => {
        for await (const chunk of stream ?? []) read += String(chunk)
      })(),
    )
    expect(read).to.equal('begin')
    expect(failure).to.include(notDone)
    await turn()
    close()
  })

  it('logs one line at the start, and does not stop it', async () => {
    const { options, close } = await open((_request, response) => response.writeHead(503).end())
    const { lines, log } = collectLines()
    await checkS3(options, pino(log))
    expect(lines.length).to.equal(1)
    expect(JSON.stringify(lines)).to.include('S3 does not respond for the bucket')
    close()
  })
})
