import { randomBytes } from 'node:crypto'
import { expect } from 'chai'
import sharp from 'sharp'
import { s3Credentials, s3Server } from '../../support/s3-server.js'
import { startApp } from '../../support/start-app.js'
import type { TestApp } from '../../support/test-app.js'
import { startToxiproxy, type Toxiproxy, type ToxicWay } from '../../support/toxiproxy.js'

type File = Readonly<{ id: number; url: string; formats: object | null }>

/** Shorter than the transfers of these tests take. */
const timeoutMs = 2500
const writeTimeoutMs = 2500
/** Content with two parts. Uploading the first part takes three and a half seconds. */
const film = Buffer.concat([Uint8Array.of(0, 255), randomBytes(7_000_000)])

/** Returns a picture that compresses badly. */
const noise = (width: number, height: number): Promise<Buffer> =>
  sharp(randomBytes(width * height * 3), { raw: { width, height, channels: 3 } })
    .png()
    .toBuffer()

describe('files in S3 over a slow network', function () {
  this.timeout(120_000)
  let toxiproxy: Toxiproxy | undefined
  let way: ToxicWay
  let app: TestApp
  before(async function () {
    const bucket = await (await s3Server())?.makeBucket()
    toxiproxy = await startToxiproxy()
    if (bucket === undefined || toxiproxy === undefined) return this.skip()
    way = await toxiproxy.open(Number(new URL(bucket.endpoint).port))
    app = await startApp({
      settings: {
        'api.rest.writeTimeoutMs': writeTimeoutMs,
        ...{ 'upload.s3.timeoutMs': timeoutMs, 'upload.s3.attempts': 1 },
        // Pictures are not changed, so that the stored files are as large as the sent ones.
        ...{ 'upload.optimize': false, 'upload.breakpoints': [] },
      },
      environment: {
        UPLOAD_PROVIDER: 's3',
        UPLOAD_S3_BUCKET: bucket.bucket,
        UPLOAD_S3_ENDPOINT: `http://127.0.0.1:${way.port}`,
        UPLOAD_S3_PREFIX: bucket.prefix,
        UPLOAD_S3_FORCE_PATH_STYLE: 'true',
        UPLOAD_S3_ACCESS_KEY_ID: s3Credentials.accessKeyId,
        UPLOAD_S3_SECRET_ACCESS_KEY: s3Credentials.secretAccessKey,
      },
    })
  })
  after(async () => {
    // `app` is still undefined if the tests were skipped.
    await (app as TestApp | undefined)?.stop()
    await toxiproxy?.close()
  })
  afterEach(() => way.turn([]))

  const slow = (kilobytesPerSecond: number) =>
    way.turn([{ type: 'bandwidth', stream: 'upstream', attributes: { rate: kilobytesPerSecond } }])
  const upload = (content: Uint8Array, name: string, query = '') => {
    const body = new FormData()
    body.append('files', new Blob([new Uint8Array(content)]), name)
    return app.request('POST', `/api/upload${query}`, { token: app.token, body })
  }
  const uploaded = async (content: Uint8Array, name: string, query = ''): Promise<File> => {
    const start = performance.now()
    const answer = await upload(content, name, query)
    expect([200, 201], answer.text).to.include(answer.status)
    expect(performance.now() - start).to.be.above(timeoutMs)
    return [answer.body as File | readonly [File]].flat()[0] as File
  }
  const load = async ({ url }: File) =>
    Buffer.from(await (await fetch(app.url + url)).arrayBuffer())
  const pendingRecords = () => app.quire.services.db.collection('_contents').countDocuments()

  it('are stored even if the transfer exceeds upload.s3.timeoutMs while bytes keep moving', async () => {
    await slow(1500)
    const file = await uploaded(film, 'film.bin')
    await way.turn([])
    expect((await load(file)).equals(film)).to.equal(true)
    expect(await pendingRecords()).to.equal(0)
  })

  it('are stored and replaced as pictures, even if that takes longer than api.rest.writeTimeoutMs', async () => {
    await slow(1500)
    const file = await uploaded(await noise(1500, 1000), 'a.png')
    expect(Object.keys(file.formats ?? {})).to.deep.equal(['thumbnail'])
    const replaced = await uploaded(await noise(1600, 1000), 'b.png', `?id=${file.id}`)
    await way.turn([])
    expect((await sharp(await load(replaced)).metadata()).width).to.equal(1600)
    expect(await pendingRecords()).to.equal(1)
  })
})
