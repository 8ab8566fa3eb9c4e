import { expect } from 'chai'
import { drawPicture } from '../../support/draw-picture.js'
import { errorBody } from '../../support/error-body.js'
import { startApp } from '../../support/start-app.js'
import type { TestApp } from '../../support/test-app.js'
import { storedNames } from '../../support/stored-names.js'

type File = Readonly<Record<string, unknown> & { id: number; url: string; hash: string }>
type Part = Readonly<{ name: string; content: Uint8Array | string; type?: string }>

const png = await drawPicture('test', 40, 30)
const wide = await drawPicture('test', 64, 32)
const svg = '<svg xmlns="http://www.w3.org/2000/svg"/>'
const actions = (...names: string[]) => names.map((name) => `plugin::upload.content-api.${name}`)
const refused = (message: string) => errorBody(400, 'ValidationError', message, {})

describe('upload API', () => {
  let app: TestApp
  before(async () => {
    app = await startApp()
  })
  after(() => app.stop())

  const formOf = (parts: readonly Part[], fields: Readonly<Record<string, string>> = {}) => {
    const form = new FormData()
    for (const { name, content, type = 'image/png' } of parts)
      form.append('files', new Blob([content], { type }), name)
    for (const [name, value] of Object.entries(fields)) form.append(name, value)
    return form
  }
  const post = (body: unknown, query = '') =>
    app.request('POST', `/api/upload${query}`, { token: app.token, body })
  const upload = async (parts: readonly Part[], fields?: Readonly<Record<string, string>>) => {
    const answer = await post(formOf(parts, fields))
    expect(answer.status, answer.text).to.equal(201)
    return answer.body as readonly [File, ...File[]]
  }
  const get = (path: string) => app.request('GET', path, { token: app.token })

  it('returns a description of the file that is based on its content', async () => {
    const [file] = await upload([{ name: 'weird näme & co (1).PNG', content: png }])
    expect(Object.keys(file)).to.deep.equal(
      (
        'id documentId name alternativeText caption focalPoint width height formats hash ext mime ' +
        'size url previewUrl provider provider_metadata createdAt updatedAt publishedAt isUrlSigned'
      ).split(' '),
    )
    expect(file).to.include({
      name: 'weird näme & co (1).PNG',
      alternativeText: null,
      width: 40,
      height: 30,
      formats: null,
      ext: '.PNG',
      mime: 'image/png',
      provider: 'local',
      isUrlSigned: false,
    })
    expect(file.hash).to.match(/^weird_naeme_and_co_1_[0-9a-f]{10}$/)
    expect(file.url).to.equal(`/uploads/${file.hash}.PNG`)
    const stored = await fetch(`${app.url}${file.url}`)
    const { byteLength } = await stored.arrayBuffer()
    expect(file).to.include({ size: Math.round(byteLength / 10) / 100 })
  })

  it('returns the same for reads of a file as for its upload', async () => {
    const [file] = await upload([{ name: 'same.png', content: png }])
    expect((await get(`/api/upload/files/${file.id}`)).body).to.deep.equal(file)
    expect((await get('/api/upload/files?filters[name]=same.png')).body).to.deep.equal([file])
  })

  it('stores neither file nor entry if the response exceeds api.rest.maxAnswerBytes', async () => {
    const tiny = await startApp({ settings: { 'api.rest.maxAnswerBytes': 40 } })
    try {
      const body = formOf([{ name: 'a.png', content: png }])
      const { status } = await tiny.request('POST', '/api/upload', { token: tiny.token, body })
      expect(status).to.equal(400)
      const { db } = tiny.quire.services
      expect(await db.collection('upload_files').countDocuments()).to.equal(0)
      expect(await storedNames(tiny.dataDir)).to.deep.equal([])
    } finally {
      await tiny.stop()
    }
  })

  it('pairs several files with their fileInfo in the order they were sent', async () => {
    const form = formOf([
      { name: 'first.png', content: png },
      { name: 'second.png', content: wide },
    ])
    form.append('fileInfo', JSON.stringify({ alternativeText: 'A' }))
    form.append('fileInfo', JSON.stringify({ alternativeText: 'B', name: 'renamed.png' }))
    const { body } = await post(form)
    expect(body).to.have.length(2)
    expect((body as File[])[0]).to.include({ name: 'first.png', alternativeText: 'A', width: 40 })
    expect((body as File[])[1]).to.include({ name: 'renamed.png', alternativeText: 'B', width: 64 })
  })

  it('rejects a request without files', async () => {
    for (const form of [formOf([], { foo: 'bar' }), formOf([{ name: 'a.png', content: '' }])]) {
      const answer = await post(form)
      expect(answer.status).to.equal(400)
      expect(answer.body).to.deep.equal(refused('Files are empty'))
    }
    expect((await post({ fileInfo: {} })).body).to.deep.equal(refused('Files are empty'))
  })

  it('rejects SVG and HTML whatever their file names, and stores nothing of the request', async () => {
    const before = (await get('/api/upload/files?fields=name')).body
    for (const [content, type] of [
      [svg, 'image/svg+xml'],
      ['<!doctype html><p>hi</p>', 'text/html'],
    ] as const) {
      const answer = await post(
        formOf([
          { name: 'fine.png', content: png },
          { name: 'picture.png', content },
        ]),
      )
      expect(answer.status).to.equal(400)
      expect(answer.body).to.deep.equal(refused(`File type '${type}' is not allowed`))
    }
    expect((await get('/api/upload/files?fields=name')).body).to.deep.equal(before)
  })

  for (const [name, content, type] of [
    ['vector.svg', 'no drawing yet', 'image/svg+xml'],
    ['page.html', 'plain words', 'text/html'],
    ['page.htm', 'plain words', 'text/html'],
    ['page.xhtml', 'plain words', 'application/xhtml+xml'],
    ['piece.txt', '<img src=x onerror=alert(1)>', 'text/html'],
    ['evil.js', 'alert(1)', 'text/javascript'],
    ['evil.mjs', 'alert(1)', 'text/javascript'],
    ['evil.CJS', 'alert(1)', 'text/javascript'],
    ['evil.sh', 'rm -rf /', 'application/x-sh'],
    ['evil', '#!/bin/sh\nrm -rf /', 'application/x-sh'],
    ['evil.bat', 'del *', 'application/x-bat'],
    ['evil.ps1', 'Remove-Item *', 'application/x-powershell'],
    ['evil.vbs', 'MsgBox 1', 'text/vbscript'],
    ['evil.php', '<?php echo 1;', 'application/x-httpd-php'],
    ['evil.pl', 'print 1', 'application/x-perl'],
    ['evil.py', 'print(1)', 'text/x-python'],
    ['evil.rb', 'puts 1', 'application/x-ruby'],
  ] as const) {
    it(`rejects ${name} as ${type}, whatever type the client declares`, async () => {
      for (const declared of ['image/png', 'text/plain', type]) {
        const answer = await post(formOf([{ name, content, type: declared }]))
        expect(answer.status, declared).to.equal(400)
        expect(answer.body).to.deep.equal(refused(`File type '${type}' is not allowed`))
      }
    })
  }

  it('stores allowed scripts and SVG, and serves them as downloads with a sandbox policy', async () => {
    const open = await startApp({ settings: { 'upload.deniedTypes': ['text/html'] } })
    try {
      for (const [name, content, ext, mime, served] of [
        ['a.js', 'alert(1)', '.js', 'text/javascript', 'text/javascript; charset=utf-8'],
        ['a.sh', 'exit', '.sh', 'application/x-sh', 'application/x-sh'],
        ['a.bat', 'exit', '.bin', 'application/x-bat', 'application/octet-stream'],
        ['a.svg', svg, '.svg', 'image/svg+xml', 'image/svg+xml'],
      ] as const) {
        const body = formOf([{ name, content }])
        const answer = await open.request('POST', '/api/upload', { token: open.token, body })
        expect(answer.status, answer.text).to.equal(201)
        const [file] = answer.body as readonly [File]
        expect(file).to.include({ name, ext, mime })
        const stored = await fetch(`${open.url}${file.url}`)
        expect(await stored.text()).to.equal(content)
        const header = (name: string) => stored.headers.get(name)
        expect(header('content-type')).to.equal(served)
        expect(header('content-disposition')).to.equal('attachment')
        expect(header('x-content-type-options')).to.equal('nosniff')
        expect(header('content-security-policy')).to.equal("default-src 'none'; sandbox")
      }
    } finally {
      await open.stop()
    }
  })

  it('returns the size of an allowed SVG, without smaller versions', async () => {
    const open = await startApp({ settings: { 'upload.deniedTypes': [] } })
    try {
      const xmlns = 'xmlns="http://www.w3.org/2000/svg"'
      const body = formOf([
        { name: 'sized.svg', content: `<svg ${xmlns} width="1200" height="800"/>` },
        { name: 'boxed.svg', content: `<svg ${xmlns} viewBox="0 0 30 20"/>` },
        { name: 'unsized.svg', content: svg },
      ])
      const answer = await open.request('POST', '/api/upload', { token: open.token, body })
      expect(answer.status, answer.text).to.equal(201)
      const files = answer.body as readonly (File & { formats: unknown })[]
      expect(files.map(({ width, height, formats }) => [width, height, formats])).to.deep.equal([
        [1200, 800, null],
        [30, 20, null],
        [null, null, null],
      ])
    } finally {
      await open.stop()
    }
  })

  it('stores text with the name of a picture as text', async () => {
    const [file] = await upload([{ name: 'fake.png', content: 'this is not a png' }])
    expect(file).to.include({ mime: 'text/plain', ext: '.txt', width: null, height: null })
  })

  it('serves a file with its type, ranges, and headers for pages of other origins', async () => {
    const content = Buffer.concat([Buffer.from('%PDF-1.4\n'), Buffer.alloc(1000, '%')])
    const [file] = await upload([{ name: 'served.pdf', content }])
    const whole = await fetch(`${app.url}${file.url}`)
    expect(whole.status).to.equal(200)
    expect(Buffer.from(await whole.arrayBuffer()).equals(content)).to.equal(true)
    expect(whole.headers.get('content-type')).to.equal('application/pdf')
    expect(whole.headers.get('cache-control')).to.equal('public, max-age=31536000, immutable')
    expect(whole.headers.get('x-content-type-options')).to.equal('nosniff')
    expect(whole.headers.get('cross-origin-resource-policy')).to.equal('cross-origin')
    const part = await fetch(`${app.url}${file.url}`, { headers: { Range: 'bytes=1-3' } })
    expect(part.status).to.equal(206)
    expect(await part.text()).to.equal('PDF')
  })

  it('returns 404 for unknown files', async () => {
    for (const path of ['/uploads/none_0123456789.png', '/uploads/..%2Fdemo.json', '/uploads/.x']) {
      expect((await get(path)).status, path).to.equal(404)
    }
    for (const id of ['99999', 'abc', 'x3k9']) {
      const answer = await get(`/api/upload/files/${id}`)
      expect(answer.status).to.equal(404)
      expect(answer.body).to.deep.equal(errorBody(404, 'NotFoundError', 'file.notFound', {}))
    }
  })

  it('lists files with sort, fields and pagination, and ignores unknown parameters', async () => {
    const all = (await get('/api/upload/files?fields=name&sort=name&foo=1')).body as File[]
    expect(all.length).to.be.above(3)
    expect(Object.keys(all[0]!)).to.deep.equal(['id', 'documentId', 'name', 'isUrlSigned'])
    const second = await get(
      '/api/upload/files?fields=name&sort=name&pagination[page]=2&pagination[pageSize]=1',
    )
    expect(second.body).to.deep.equal([all[1]])
  })

  it('explains the query of a list', async () => {
    const { status, body } = await get('/api/upload/files?sort=name&explain=true')
    expect(status).to.equal(200)
    expect(body).to.have.nested.property('data.pipelines[0].collection', 'upload_files')
  })

  it('updates the fileInfo of a file', async () => {
    const [file] = await upload([{ name: 'told.png', content: png }])
    const changed = await post({ fileInfo: { alternativeText: 'json alt' } }, `?id=${file.id}`)
    expect(changed.status).to.equal(200)
    expect(changed.body).to.include({ id: file.id, alternativeText: 'json alt', url: file.url })
    const unchanged = await post(formOf([], { foo: 'x' }), `?id=${file.id}`)
    expect(unchanged.body).to.deep.equal(changed.body)
  })

  it('replaces the content of a file under a new URL, and keeps the old content for a while', async () => {
    const [file] = await upload([{ name: 'old.png', content: png }])
    const answer = await post(formOf([{ name: 'new.png', content: wide }]), `?id=${file.id}`)
    expect(answer.status).to.equal(200)
    const replaced = answer.body as File
    expect(replaced).to.include({ id: file.id, name: 'new.png', width: 64 })
    expect(replaced.hash)
      .to.match(/^old_[0-9a-f]{10}$/)
      .and.not.equal(file.hash)
    expect(replaced.url).to.equal(`/uploads/${replaced.hash}.png`)
    expect((await get(replaced.url)).status).to.equal(200)
    expect((await get(file.url)).status).to.equal(200)
    expect(
      await app.quire.services.db
        .collection<{ _id: string }>('_contents')
        .findOne({ _id: file.hash }),
    ).to.deep.include({ provider: 'local', names: [`${file.hash}.png`] })
  })

  it('replaces a picture with content of another type', async () => {
    const [file] = await upload([{ name: 'note.png', content: png }])
    const form = formOf([{ name: 'note.txt', content: 'plain words' }])
    const { body } = await post(form, `?id=${file.id}`)
    const { hash } = body as File
    expect(body).to.include({ mime: 'text/plain', url: `/uploads/${hash}.txt`, width: null })
    expect(hash).to.match(/^note_[0-9a-f]{10}$/)
    expect((await get(`/uploads/${hash}.txt`)).text).to.equal('plain words')
  })

  it('returns 404 for an update of an unknown file', async () => {
    const answer = await post({ fileInfo: { caption: 'x' } }, '?id=99999')
    expect(answer.body).to.deep.equal(errorBody(404, 'NotFoundError', 'Entity not found', {}))
  })

  it('deletes a file with its content, and returns 404 for a second deletion', async () => {
    const [file] = await upload([{ name: 'gone.png', content: png }])
    const remove = () => app.request('DELETE', `/api/upload/files/${file.id}`, { token: app.token })
    expect(await remove()).to.deep.include({ status: 200, body: file })
    expect((await get(file.url)).status).to.equal(404)
    expect((await remove()).body).to.deep.equal(
      errorBody(404, 'NotFoundError', 'file.notFound', {}),
    )
  })

  it('requires permission for each action', async () => {
    const [file] = await upload([{ name: 'mine.png', content: png }])
    const asPublic = async () => [
      (await app.request('GET', '/api/upload/files')).status,
      (await app.request('GET', `/api/upload/files/${file.id}`)).status,
      (await app.request('POST', '/api/upload', { body: formOf([]) })).status,
      (await app.request('DELETE', `/api/upload/files/${file.id}`)).status,
    ]
    await app.allow('public', ['api::article.article.find'])
    expect(await asPublic()).to.deep.equal([403, 403, 403, 403])
    await app.allow('public', actions('find', 'findOne'))
    expect(await asPublic()).to.deep.equal([200, 200, 403, 403])
  })

  it('returns 405 for an unsupported method', async () => {
    expect((await app.request('PUT', '/api/upload/files/1', { token: app.token })).status).to.equal(
      405,
    )
  })

  it('stores pictures with circular structures as files without a size', async () => {
    const length = (bytes: number): Buffer => {
      const field = Buffer.alloc(4)
      field.writeUInt32BE(bytes)
      return field
    }
    const rest = Buffer.alloc(1000)
    const heif = [length(24), 'ftypheic', length(0), 'mif1heic']
    const circles: readonly (readonly [string, readonly (Buffer | string)[]])[] = [
      ['icns', ['icns', length(1000), 'ic07', length(0), rest]],
      ['heic', [...heif, length(0), 'meta', rest]],
      [
        'heic',
        [...heif, length(200), 'meta', length(0), length(100), 'iprp', length(80), 'ipco', rest],
      ],
      [
        'jxl',
        [
          Buffer.from('0000000c4a584c200d0a870a', 'hex'),
          ...[length(20), 'ftypjxl ', rest.subarray(0, 8), length(0), 'jxlp', rest],
        ],
      ],
    ]
    for (const [extension, parts] of circles) {
      const content = Buffer.concat(parts.map((part) => Buffer.from(part as string)))
      const [file] = await upload([{ name: `circle.${extension}`, content }])
      expect(file, extension).to.include({ ext: `.${extension}`, width: null, height: null })
    }
  })

  describe('with ref, refId and field', () => {
    const createAuthor = async () => {
      const { body } = await app.request('POST', '/api/authors', {
        token: app.token,
        body: { data: { name: 'Cleo' } },
      })
      return (body as { data: { id: number; documentId: string } }).data
    }

    it('attaches the file to the entry', async () => {
      const author = await createAuthor()
      const fields = { ref: 'api::author.author', refId: String(author.id), field: 'avatar' }
      const [file] = await upload([{ name: 'attached.png', content: png }], fields)
      const { body } = await get(`/api/authors/${author.documentId}?populate=avatar`)
      expect((body as { data: { avatar: File } }).data.avatar).to.include({ id: file.id })
    })

    it('accepts a documentId, and attaches to the published version if there is one', async () => {
      const author = await createAuthor()
      const fields = { ref: 'api::author.author', refId: author.documentId, field: 'avatar' }
      const [file] = await upload([{ name: 'by-document.png', content: png }], fields)
      const { body } = await get(`/api/authors/${author.documentId}?populate=avatar`)
      expect((body as { data: { avatar: File } }).data.avatar).to.include({ id: file.id })

      const send = (query: string, title: string) =>
        app.request('POST', `/api/articles?${query}`, {
          token: app.token,
          body: { data: { title } },
        })
      const cover = async (query: string, title: string) => {
        const { documentId } = ((await send(query, title)).body as { data: { documentId: string } })
          .data
        const of = { ref: 'api::article.article', refId: documentId, field: 'cover' }
        const [{ id }] = await upload([{ name: 'cover.png', content: png }], of)
        const shown = async (status: string) => {
          const { data } = (
            await get(`/api/articles/${documentId}?populate=cover&status=${status}`)
          ).body as { data: { cover: File | null } | null }
          return data?.cover?.id === id
        }
        return [await shown('published'), await shown('draft')]
      }
      expect(await cover('', 'Published')).to.deep.equal([true, true])
      expect(await cover('status=draft', 'A draft')).to.deep.equal([false, true])
    })

    it('rejects an unknown entry or media attribute, and stores nothing', async () => {
      const author = await createAuthor()
      const before = (await get('/api/upload/files?fields=name')).body
      for (const [ref, refId, field] of [
        ['api::nope.nope', author.id, 'avatar'],
        ['api::author.author', 999_999, 'avatar'],
        ['api::author.author', 'x3k9nothing', 'avatar'],
        ['api::author.author', '{"$ne":null}', 'avatar'],
        ['api::author.author', author.id, 'name'],
        ['api::author.author', author.id, 'constructor'],
      ] as const) {
        const fields = { ref, refId: String(refId), field }
        const answer = await post(formOf([{ name: 'lost.png', content: png }], fields))
        expect(answer.status, answer.text).to.equal(400)
      }
      expect((await get('/api/upload/files?fields=name')).body).to.deep.equal(before)
    })

    it('requires permission to update the entry', async () => {
      const author = await createAuthor()
      await app.allow('public', actions('upload'))
      // Unknown attributes and unknown entries get the same response, so that it does not reveal which exist.
      for (const [refId, field] of [
        [author.id, 'avatar'],
        [author.id, 'name'],
        [999_999, 'avatar'],
      ] as const) {
        const body = formOf([{ name: 'a.png', content: png }], {
          ...{ ref: 'api::author.author', refId: String(refId), field },
        })
        expect((await app.request('POST', '/api/upload', { body })).status).to.equal(403)
      }
    })
  })
})
