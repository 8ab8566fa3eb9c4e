import { randomBytes } from 'node:crypto'
import { basename } from 'node:path'
import { expect } from 'chai'
import { imageSize } from 'image-size'
import { drawPicture } from '../../support/draw-picture.js'
import { createProviders } from '../../../server/upload/providers/create-providers.js'
import { createS3Provider } from '../../../server/upload/providers/s3.js'
import type { S3Options } from '../../../server/upload/providers/s3-client.js'
import type { StorageProvider } from '../../../server/upload/storage-provider.js'
import { namesOf, type StoredFile } from '../../../server/upload/store-content.js'
import { openPendingContents } from '../../../server/upload/pending-contents.js'
import { startFaultyProxy, type Fault, type FaultyProxy } from '../../support/faulty-proxy.js'
import type { Answer } from '../../support/request.js'
import { s3Credentials, s3Server } from '../../support/s3-server.js'
import { startApp } from '../../support/start-app.js'
import type { TestApp } from '../../support/test-app.js'

type File = Readonly<{ id: number; url: string; formats: object | null }>
type Served = Readonly<{ response: Response; bytes: Buffer }>
type Contents = Readonly<Record<string, Uint8Array>>

const text = Buffer.from('only words')
const picture = await drawPicture('outage', 900, 600)
/** More than two parts of a multipart upload to S3. A part has five megabytes. */
const film = Buffer.concat([Uint8Array.of(0, 255), randomBytes(11_000_000)])

for (const fault of ['answers 503', 'hangs', 'cuts the connection'] as const satisfies Fault[])
  describe(`media library during an outage in which S3 ${fault}`, () => {
    let options: S3Options
    let direct: StorageProvider
    let proxy: FaultyProxy
    let app: TestApp
    let storedFile: File

    before(async function () {
      const bucket = await (await s3Server())?.makeBucket()
      if (bucket === undefined) return this.skip()
      options = bucket
      direct = createS3Provider(options)
      proxy = await startFaultyProxy(bucket.endpoint)
      app = await startApp({
        settings: {
          // If S3 hangs, each attempt takes this time. The other faults are noticed at once.
          'upload.s3.timeoutMs': fault === 'hangs' ? 800 : 2000,
          'upload.s3.attempts': 2,
        },
        environment: {
          UPLOAD_PROVIDER: 's3',
          UPLOAD_S3_BUCKET: bucket.bucket,
          UPLOAD_S3_ENDPOINT: proxy.url,
          UPLOAD_S3_PREFIX: bucket.prefix,
          UPLOAD_S3_FORCE_PATH_STYLE: 'true',
          UPLOAD_S3_ACCESS_KEY_ID: s3Credentials.accessKeyId,
          UPLOAD_S3_SECRET_ACCESS_KEY: s3Credentials.secretAccessKey,
          UPLOAD_VARIANTS: 'width=100',
        },
      })
      storedFile = (await uploaded({ 'kept.png': picture }))[0] as File
    })
    after(async () => {
      // These variables are still undefined if the tests were skipped.
      await (app as TestApp | undefined)?.stop()
      ;(proxy as FaultyProxy | undefined)?.close()
      await (direct as StorageProvider | undefined)?.close?.()
    })
    afterEach(async () => {
      proxy.fail(undefined)
      await expectNothingLeft()
    })

    const upload = (contents: Contents, query = ''): Promise<Answer> => {
      const body = new FormData()
      for (const [name, content] of Object.entries(contents))
        body.append('files', new Blob([new Uint8Array(content)]), name)
      return app.request('POST', `/api/upload${query}`, { token: app.token, body })
    }
    const uploaded = async (contents: Contents): Promise<readonly File[]> => {
      const answer = await upload(contents)
      expect(answer.status, answer.text).to.equal(201)
      return answer.body as readonly File[]
    }
    const entries = () => app.quire.services.db.collection<StoredFile>('upload_files')
    const expectRefused = (answer: Answer): void => {
      expect(answer.status, answer.text).to.equal(503)
      expect(answer.headers.get('retry-after')).to.equal('1')
      expect(answer.body).to.have.nested.property('error.name', 'ServiceUnavailableError')
      expect(answer.body).to.have.nested.property('error.details.outcome', 'not-done')
    }
    const serve = async (url: string): Promise<Served> => {
      const response = await fetch(`${app.url}${url}`)
      return { response, bytes: Buffer.from(await response.arrayBuffer()) }
    }
    /** Lists what S3 stores. Asks it directly, not through the proxy. */
    const storedNames = async (): Promise<readonly string[]> => {
      const stored: string[] = []
      for await (const { name } of direct.list()) stored.push(name)
      return stored.sort()
    }
    /** Makes all records due, as if an hour had passed, and sweeps. */
    const sweep = async (): Promise<void> => {
      const { services } = app.quire
      const contents = services.db.collection('_contents')
      await contents.updateMany({}, { $set: { due: new Date(0) } })
      const providers = createProviders({
        ...{ chosen: 's3', db: services.db, directory: app.dataDir, s3: options },
      })
      await openPendingContents(services, { providers, singleProcess: false }).sweep()
      await providers.chosen.close?.()
      expect(await contents.countDocuments()).to.equal(0)
    }
    /** Sweeps, and checks that only the content of existing entries and variants is stored. */
    const expectNothingLeft = async (): Promise<void> => {
      const { services } = app.quire
      await sweep()
      await direct.removeUnfinished(0)
      const named = (await entries().find().toArray()).flatMap((file) => namesOf(file).names)
      const drawn = await services.db.collection<{ _id: string }>('_variants').find().toArray()
      expect(await storedNames()).to.deep.equal([...named, ...drawn.map(({ _id }) => _id)].sort())
    }

    const uploads: readonly (readonly [string, Contents, number])[] = [
      ['a small file', { 'a.txt': text }, 0],
      ['a file of several parts, midway', { 'film.bin': film }, 7_000_000],
      ['a picture with its smaller versions', { 'a.png': picture }, 0],
      ['a second file', { 'a.txt': text, 'film.bin': film }, 1_000_000],
    ]
    for (const [what, contents, afterBytes] of uploads)
      it(`rejects ${what} with 503, stores nothing, and accepts it after the outage`, async () => {
        const before = await entries().countDocuments()
        proxy.fail(fault, afterBytes)
        expectRefused(await upload(contents))
        expect(await entries().countDocuments()).to.equal(before)
        proxy.fail(undefined)
        await expectNothingLeft()
        const files = await uploaded(contents)
        for (const [at, content] of Object.values(contents).entries()) {
          const { response, bytes } = await serve(files[at]?.url ?? '')
          expect(response.status).to.equal(200)
          // Pictures are encoded again, so only other files must have the same bytes.
          if (files[at]?.formats === null) expect(bytes.equals(Buffer.from(content))).to.equal(true)
        }
      })

    it('returns 503 for a stored file and a variant, and serves both after the outage', async () => {
      const urls = [storedFile.url, `${storedFile.url}?width=100`]
      const original = await serve(storedFile.url)
      proxy.fail(fault)
      for (const { response, bytes } of await Promise.all(urls.map(serve))) {
        expect(response.status, String(bytes)).to.equal(503)
        expect(response.headers.get('retry-after')).to.equal('1')
      }
      proxy.fail(undefined)
      const [again, variant] = (await Promise.all(urls.map(serve))) as [Served, Served]
      expect([again.response.status, variant.response.status]).to.deep.equal([200, 200])
      expect(again.bytes.equals(original.bytes)).to.equal(true)
      expect(imageSize(variant.bytes).width).to.equal(100)
    })

    it('keeps a file unchanged if its replacement fails', async () => {
      const [file] = (await uploaded({ 'a.txt': text })) as [File]
      proxy.fail(fault)
      const others = [{ 'b.txt': Buffer.from('other') }, { 'b.png': picture }]
      const answers = others.map((other) => upload(other, `?id=${file.id}`))
      for (const answer of await Promise.all(answers)) expectRefused(answer)
      proxy.fail(undefined)
      const { body } = await app.request('GET', `/api/upload/files/${file.id}`, app)
      expect(body).to.deep.equal(file)
      expect((await serve(file.url)).bytes.equals(text)).to.equal(true)
    })

    it('deletes a file at once, and its stored content after the outage', async () => {
      const [file] = (await uploaded({ 'a.txt': text })) as [File]
      const name = basename(file.url)
      proxy.fail(fault)
      const answer = await app.request('DELETE', `/api/upload/files/${file.id}`, app)
      expect(answer.status, answer.text).to.equal(200)
      expect((await app.request('GET', `/api/upload/files/${file.id}`, app)).status).to.equal(404)
      expect(await storedNames()).to.include(name)
      proxy.fail(undefined)
      await sweep()
      expect(await storedNames()).to.not.include(name)
    })
  })
