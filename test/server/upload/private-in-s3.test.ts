import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { drawPicture } from '../../support/draw-picture.js'
import { signLink } from '../../support/sign-link.js'
import { mediaEnvironment } from '../../support/media-environment.js'
import { startApp } from '../../support/start-app.js'
import type { TestApp } from '../../support/test-app.js'

type File = Readonly<{ url: string; formats: Readonly<Record<string, Readonly<{ url: string }>>> }>

const picture = await drawPicture('private', 640, 400)

describe('private files in S3', () => {
  let app: TestApp
  let key: string
  before(async function () {
    const environment = await mediaEnvironment('s3')
    if (environment === undefined) return this.skip()
    app = await startApp({ environment, settings: { 'upload.private': true } })
    const { db } = app.quire.services
    const secrets = db.collection<{ _id: string; uploadSigningKey: string }>('_settings')
    key = (await secrets.findOne({ _id: 'secrets' }))?.uploadSigningKey ?? ''
  })
  // `app` is still undefined if the tests were skipped.
  after(() => (app as TestApp | undefined)?.stop())

  const upload = async (content: Buffer | string, name: string): Promise<File> => {
    const body = new FormData()
    body.append('files', new Blob([content]), name)
    const answer = await app.request('POST', '/api/upload', { token: app.token, body })
    expect(answer.status, answer.text).to.equal(201)
    return (answer.body as readonly [File])[0]
  }
  const locationOf = async (url: string): Promise<string> => {
    const answer = await app.request('GET', url)
    expect(answer.status, answer.text).to.equal(302)
    expect(answer.headers.get('cache-control')).to.match(/^private, max-age=\d+$/)
    return answer.headers.get('location') ?? ''
  }

  it('are served by redirects from signed URLs to signed S3 links', async () => {
    const file = await upload(picture, 'night.png')
    for (const url of [file.url, ...Object.values(file.formats).map((one) => one.url)]) {
      const served = await fetch(await locationOf(url))
      const bytes = Buffer.from(await served.arrayBuffer())
      expect(served.status, String(bytes)).to.equal(200)
      expect(served.headers.get('content-type')).to.equal('image/png')
      expect(served.headers.get('cache-control')).to.match(/^private, max-age=\d+$/)
      expect(bytes.subarray(1, 4).toString()).to.equal('PNG')
    }
    const text = await upload('{"only":"words"}', 'words.json')
    const served = await fetch(await locationOf(text.url))
    expect(await served.text()).to.equal('{"only":"words"}')
    expect(served.headers.get('content-disposition')).to.equal('attachment')
    // Neither Quire nor S3 serves the file without a signature.
    expect((await fetch(app.url + (text.url.split('?')[0] ?? ''))).status).to.equal(403)
    const bare = (await locationOf(text.url)).split('?')[0] ?? ''
    expect((await fetch(bare)).status).to.equal(403)
  })

  it('return 403 from Quire and from S3 when the link has expired', async () => {
    const { url } = await upload('only words', 'words.txt')
    const path = url.split('?')[0] ?? ''
    const expires = `${Math.floor(Date.now() / 1000) + 4}`
    const link = `${path}?${signLink(key, path.slice('/uploads/'.length), { expires })}`
    const location = await locationOf(link)
    expect(await (await fetch(location)).text()).to.equal('only words')
    const waitUntilForbidden = async (address: string): Promise<void> => {
      while ((await fetch(address, { redirect: 'manual' })).status !== 403) await sleep(200)
    }
    await waitUntilForbidden(location)
    await waitUntilForbidden(app.url + link)
  })
})
