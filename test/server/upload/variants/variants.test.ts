import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import sharp, { type Sharp } from 'sharp'
import { signLink } from '../../../support/sign-link.js'
import { errorBody } from '../../../support/error-body.js'
import { startApp } from '../../../support/start-app.js'
import type { TestApp } from '../../../support/test-app.js'

type File = Readonly<{ id: number; url: string }>

const halves = (width: number, height: number): Sharp => {
  const half = { width: width / 2, height, channels: 3, background: '#00f' } as const
  return sharp({ create: { width, height, channels: 3, background: '#f00' } }).composite([
    { input: { create: half }, left: width / 2, top: 0 },
  ])
}

describe('picture variants', () => {
  let key: string
  let app: TestApp
  let jpeg: File
  before(async () => {
    const sizes = ['width=100', 'width=60&height=60', 'height=60&format=webp', 'format=avif']
    const settings = { 'upload.variants': [...sizes, 'width=90&height=60&fit=contain&format=png'] }
    app = await startApp({ settings })
    const { db } = app.quire.services
    const secrets = db.collection<{ _id: string; uploadSigningKey: string }>('_settings')
    key = (await secrets.findOne({ _id: 'secrets' }))?.uploadSigningKey ?? ''
    jpeg = await upload(await halves(400, 200).jpeg().toBuffer())
  })
  after(() => app.stop())

  const upload = async (content: Buffer, name = 'photo.jpg', query = '') => {
    const form = new FormData()
    form.append('files', new Blob([new Uint8Array(content)]), name)
    const options = { token: app.token, body: form }
    const { status, body, text } = await app.request('POST', `/api/upload${query}`, options)
    expect(status, text).to.be.oneOf([200, 201])
    return (Array.isArray(body) ? body[0] : body) as File
  }
  const ask = async (file: File, search: string, init: RequestInit = {}) => {
    const response = await fetch(`${app.url}${file.url}?${search}`, init)
    const bytes = Buffer.from(await response.arrayBuffer())
    const { status, headers } = response
    return { status, headers, bytes }
  }
  const shape = async (file: File, search: string) => {
    const { status, headers, bytes } = await ask(file, search)
    expect(status, bytes.toString()).to.equal(200)
    const { format, width, height } = await sharp(bytes).metadata()
    return [headers.get('content-type'), format, width, height]
  }
  const refused = async (file: File, search: string) => {
    const { status, bytes } = await ask(file, search)
    return [status, (JSON.parse(bytes.toString()) as { error: { message: string } }).error.message]
  }
  const stored = async () =>
    (await readdir(join(app.dataDir, 'uploads'))).filter((name) => name.startsWith('variant-'))

  it('have the requested size and format if upload.variants lists it', async () => {
    expect(await shape(jpeg, 'width=100')).to.deep.equal(['image/jpeg', 'jpeg', 100, 50])
    expect(await shape(jpeg, 'format=webp&height=60')).to.deep.equal([
      ...['image/webp', 'webp', 120, 60],
    ])
    expect(await shape(jpeg, 'format=avif')).to.deep.equal(['image/avif', 'heif', 400, 200])
    expect(await shape(jpeg, 'width=90&height=60&fit=contain&format=png')).to.deep.equal([
      ...['image/png', 'png', 90, 60],
    ])
    const { bytes } = await ask(jpeg, 'width=90&height=60&fit=contain&format=png')
    expect((await sharp(bytes).raw().toBuffer()).subarray(0, 4)).to.deep.equal(Buffer.alloc(4))
  })

  it('are rejected in an unlisted size, with a list of the allowed ones', async () => {
    const { status, bytes } = await ask(jpeg, 'width=101')
    const allowed = [
      ...['width=100', 'width=60&height=60&fit=cover', 'height=60&format=webp', 'format=avif'],
      'width=90&height=60&fit=contain&format=png',
    ]
    const list = allowed.map((text) => `"${text}"`).join(', ')
    const message = `Only these are allowed without a signature (upload.variants): ${list}`
    const details = { path: null, source: 'query', allowed }
    expect([status, JSON.parse(bytes.toString())]).to.deep.equal([
      400,
      errorBody(400, 'ValidationError', message, details),
    ])
  })

  it('can have any size with a valid signature', async () => {
    const name = jpeg.url.slice('/uploads/'.length)
    const signed = signLink(key, name, { width: '77', format: 'png' })
    expect(await shape(jpeg, signed)).to.deep.equal(['image/png', 'png', 77, 39])
    const other = signed.replace('77', '78')
    expect((await ask(jpeg, other)).status).to.equal(400)
    const old = signLink(key, name, { width: '77', expires: '1000000000' })
    expect((await ask(jpeg, old)).status).to.equal(400)
  })

  it('are rejected for a file that is not a picture, an unknown file and an unknown parameter', async () => {
    const text = await upload(Buffer.from('only words'), 'words.txt')
    expect(await refused(text, 'width=100')).to.deep.equal([
      ...[400, 'Only pictures have other sizes and formats'],
    ])
    expect(
      await refused({ ...jpeg, url: '/uploads/no_such_1a2b3c4d5e.jpg' }, 'width=100'),
    ).to.deep.equal([404, 'Not Found'])
    expect(await refused(jpeg, 'widht=100')).to.deep.equal([400, 'Invalid key widht'])
  })

  it('are created once for concurrent requests, and stored', async () => {
    const file = await upload(await halves(300, 300).png().toBuffer(), 'many.png')
    const before = await stored()
    const answers = await Promise.all(Array.from({ length: 8 }, () => ask(file, 'width=100')))
    expect(new Set(answers.map(({ status }) => status))).to.deep.equal(new Set([200]))
    expect(new Set(answers.map(({ headers }) => headers.get('etag')))).to.have.property('size', 1)
    expect(await stored()).to.have.length(before.length + 1)
    const etag = answers[0]?.headers.get('etag') ?? ''
    const again = await ask(file, 'width=100', {
      // Sets `Cache-Control`, because `fetch` sends `no-cache` with `If-None-Match` by default.
      headers: { 'If-None-Match': etag, 'Cache-Control': 'max-age=0' },
    })
    expect(again.status).to.equal(304)
    const head = await ask(file, 'width=100', { method: 'HEAD' })
    expect([head.status, head.headers.get('content-length')]).to.deep.equal([
      ...[200, `${answers[0]?.bytes.length}`],
    ])
    const { headers } = answers[0] as (typeof answers)[0]
    expect(headers.get('cache-control')).to.equal('public, max-age=31536000, immutable')
  })

  it('are cropped around the focal point, and created again when it changes', async () => {
    const file = await upload(await halves(400, 100).png().toBuffer(), 'focus.png')
    const corner = async () => {
      const { bytes, headers } = await ask(file, 'width=60&height=60')
      expect(headers.get('cache-control')).to.equal('public, max-age=300')
      return [...(await sharp(bytes).raw().toBuffer()).subarray(0, 3)]
    }
    const focus = async (x: number) => {
      const body = { fileInfo: { focalPoint: { x, y: 50 } } }
      const changed = await app.request('POST', `/api/upload?id=${file.id}`, {
        ...{ token: app.token, body },
      })
      expect(changed.status).to.equal(200)
    }
    await focus(90)
    expect(await corner()).to.deep.equal([0, 0, 255])
    const count = (await stored()).length
    await focus(10)
    expect(await corner()).to.deep.equal([255, 0, 0])
    expect(await stored()).to.have.length(count)
  })

  it('stay available for a replaced picture if they were created before the replacement', async () => {
    const file = await upload(await halves(400, 100).png().toBuffer(), 'former.png')
    const sizes = ['width=100', 'width=60&height=60']
    const before = await Promise.all(sizes.map((size) => ask(file, size)))
    const content = await halves(200, 200).png().toBuffer()
    const { url } = await upload(content, 'former.png', `?id=${file.id}`)
    expect(url).not.to.equal(file.url)
    for (const [index, size] of sizes.entries()) {
      const { status, headers, bytes } = await ask(file, size)
      expect([status, bytes], size).to.deep.equal([200, before[index]?.bytes])
      expect(headers.get('etag')).to.equal(before[index]?.headers.get('etag'))
    }
    expect((await ask(file, 'height=60&format=webp')).status).to.equal(404)
    await app.request('DELETE', `/api/upload/files/${file.id}`, { token: app.token })
  })

  it('are served for a private file only with a link that is signed for that size', async () => {
    const hidden = await startApp({ settings: { 'upload.private': true } })
    const { db } = hidden.quire.services
    const secrets = db.collection<{ _id: string; uploadSigningKey: string }>('_settings')
    const own = (await secrets.findOne({ _id: 'secrets' }))?.uploadSigningKey ?? ''
    const form = new FormData()
    const content = await halves(400, 200).jpeg().toBuffer()
    form.append('files', new Blob([new Uint8Array(content)]), 'photo.jpg')
    const sent = await hidden.request('POST', '/api/upload', { token: hidden.token, body: form })
    const [{ url }] = sent.body as [File]
    const path = url.split('?')[0] ?? ''
    const expires = `${Math.floor(Date.now() / 1000) + 600}`
    const link = signLink(own, path.slice('/uploads/'.length), { expires, width: '50' })
    const response = await fetch(`${hidden.url}${path}?${link}`)
    expect((await sharp(Buffer.from(await response.arrayBuffer())).metadata()).width).to.equal(50)
    expect(response.headers.get('cache-control')).to.match(/^private, max-age=\d+$/)
    for (const search of ['width=50', `${url.split('?')[1]}&width=50`, link.replace('50', '51')])
      expect((await fetch(`${hidden.url}${path}?${search}`)).status, search).to.equal(403)
    await hidden.stop()
  })

  it('are deleted with their picture', async () => {
    const file = await upload(await halves(200, 200).png().toBuffer(), 'listed.png')
    await ask(file, 'width=100')
    const of = file.url.slice('/uploads/'.length, -'.png'.length)
    const record = await app.quire.services.db.collection('_variants').findOne({ of })
    expect(await stored()).to.include(`${String(record?._id)}`)
    expect(record).to.deep.include({ of, provider: 'local' })
    await app.request('DELETE', `/api/upload/files/${file.id}`, { token: app.token })
    expect(await stored()).not.to.include(`${String(record?._id)}`)
    expect((await ask(file, 'width=100')).status).to.equal(404)
  })
})
