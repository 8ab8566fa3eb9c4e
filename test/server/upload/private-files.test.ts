import { expect } from 'chai'
import { drawPicture } from '../../support/draw-picture.js'
import { linkEnd } from '../../../server/upload/signature.js'
import { signLink } from '../../support/sign-link.js'
import { errorBody } from '../../support/error-body.js'
import { startApp } from '../../support/start-app.js'
import type { TestApp } from '../../support/test-app.js'

const info = (name: string) => ({
  singularName: name,
  pluralName: `${name}s`,
  displayName: name,
})
const schema = {
  'components/shared/slide.json': {
    info: { displayName: 'slide' },
    attributes: {
      image: { type: 'media' },
      note: { type: 'relation', relation: 'oneToOne', target: 'api::note.note' },
    },
  },
  'content-types/note.json': {
    kind: 'collectionType',
    info: info('note'),
    options: { draftAndPublish: true },
    attributes: {
      title: { type: 'string' },
      body: { type: 'blocks' },
      free: { type: 'json' },
      cover: { type: 'media' },
      gallery: { type: 'media', multiple: true },
      slide: { type: 'component', component: 'shared.slide' },
      zone: { type: 'dynamiczone', components: ['shared.slide'] },
      about: { type: 'relation', relation: 'morphToMany' },
      next: { type: 'relation', relation: 'oneToOne', target: 'api::note.note' },
    },
  },
}

// The links are valid for a year, so that none expires while the tests run.
const settings = { 'upload.private': true, 'upload.linkExpiresInS': 31_536_000 } as const
const picture = await drawPicture('test', 300, 200)

type File = Readonly<{
  id: number
  documentId: string
  url: string
  isUrlSigned: boolean
  formats: Readonly<{ thumbnail: Readonly<{ url: string }> }>
}>

function urlsIn(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, member]) =>
    name === 'url' && typeof member === 'string' ? [member] : urlsIn(member),
  )
}

for (const mode of ['inline', 'pool'] as const)
  describe(`private files, with reads in execution mode ${mode}`, () => {
    let app: TestApp
    let file: File
    let key: string
    before(async () => {
      const threshold = mode === 'pool' ? 0 : 1_000_000
      app = await startApp({ schema, settings: { ...settings, 'pool.costThreshold': threshold } })
      const secrets = app.quire.services.db.collection<{ _id: string; uploadSigningKey: string }>(
        '_settings',
      )
      key = (await secrets.findOne({ _id: 'secrets' }))?.uploadSigningKey ?? ''
      file = await upload()
    })
    after(() => app.stop())

    const upload = async (): Promise<File> => {
      const form = new FormData()
      form.append('files', new Blob([picture], { type: 'image/png' }), 'a.png')
      const { status, body } = await app.request('POST', '/api/upload', {
        token: app.token,
        body: form,
      })
      expect(status).to.equal(201)
      return (body as readonly [File])[0]
    }
    const get = async (path: string, headers: Readonly<Record<string, string>> = {}) =>
      app.request('GET', path, { token: app.token, headers })
    const create = async (data: object, query = '') => {
      const answer = await app.request('POST', `/api/notes${query}`, {
        token: app.token,
        body: { data },
      })
      expect(answer.status, answer.text).to.equal(201)
      return (answer.body as { data: { documentId: string } }).data.documentId
    }
    const isValid = (url: string): boolean => {
      const [path = '', search = ''] = url.split('?')
      const end = linkEnd(key, path.replace('/uploads/', ''), search, new Date())
      return path.startsWith('/uploads/') && end instanceof Date
    }
    const expectSigned = (body: unknown, count: number) => {
      const urls = urlsIn(body)
      expect(urls).to.have.lengthOf(count)
      for (const url of urls) expect(isValid(url), url).to.equal(true)
    }

    it('have signed URLs in every response of the media library', async () => {
      expect(file.isUrlSigned).to.equal(true)
      expectSigned(file, 2)
      const one = await get(`/api/upload/files/${file.id}`)
      expect(one.body).to.deep.equal(file)
      expectSigned((await get('/api/upload/files?filters[name]=a.png')).body, 2)
      expectSigned((await get(`/api/upload/files/${file.id}?fields=url`)).body, 1)
      expect((await get(`/api/upload/files/${file.id}?fields=name`)).text).not.to.include(
        'signature',
      )
    })

    it('have signed URLs wherever content contains them', async () => {
      const next = await create({ title: 'next', cover: file.id, gallery: [file.id] })
      const id = await create({
        title: 'all',
        cover: file.id,
        gallery: [file.id],
        slide: { image: file.id, note: next },
        zone: [{ __component: 'shared.slide', image: file.id, note: next }],
        about: [{ __type: 'plugin::upload.file', documentId: file.documentId }],
        next,
      })
      const populate = [
        'populate[cover]=true&populate[gallery]=true&populate[about][on][plugin::upload.file]=true',
        'populate[slide][populate][image]=true&populate[slide][populate][note][populate]=*',
        'populate[zone][on][shared.slide][populate][image]=true',
        'populate[next][populate]=*',
      ].join('&')
      for (const path of [
        `/api/notes/${id}?${populate}`,
        `/api/notes/${id}?status=draft&${populate}`,
      ]) {
        // Nine files, each with its thumbnail: one in each of cover, gallery, about, slide and zone, and two each in
        // the note of slide and in next.
        expectSigned((await get(path)).body, 18)
      }
      const older = await get(`/api/notes/${id}?${populate}`, { 'Strapi-Response-Format': 'v4' })
      expectSigned(older.body, 18)
      expectSigned((await get(`/api/notes?filters[title]=all&${populate}`)).body, 18)
      expect((await get(`/api/notes/${id}?populate[cover][fields]=name`)).text).not.to.include(
        'signature',
      )
    })

    it('have the same URLs in all responses of a time window, and so the same ETag', async () => {
      const id = await create({ title: 'same', cover: file.id })
      const path = `/api/notes/${id}?populate=cover`
      const [one, other] = [await get(path), await get(path)]
      expect(other.text).to.equal(one.text)
      const tag = one.headers.get('etag') ?? ''
      expect(other.headers.get('etag')).to.equal(tag)
      expect((await get(path, { 'If-None-Match': tag })).status).to.equal(304)
    })

    it('can be filtered by their stored URL, not by the signed one', async () => {
      const [path] = file.url.split('?')
      expect((await get(`/api/upload/files?filters[url]=${path}`)).body).to.have.lengthOf(1)
      const signed = encodeURIComponent(file.url)
      expect((await get(`/api/upload/files?filters[url]=${signed}`)).body).to.deep.equal([])
    })

    it('can be sent back as they were read, and no signature is stored', async () => {
      const image = { url: file.url, name: 'a.png', formats: file.formats, width: 300, height: 200 }
      const body = [{ type: 'image', image, children: [{ type: 'text', text: '' }] }]
      const id = await create({ title: 'back', cover: file.id, gallery: [file.id], body })
      const read = (await get(`/api/notes/${id}?populate=*`)).body as { data: object }
      expectSigned(read.data, 6)
      const answer = await app.request('PUT', `/api/notes/${id}?populate=*`, {
        token: app.token,
        body: { data: read.data },
      })
      expect(answer.status, answer.text).to.equal(200)
      expectSigned(answer.body, 6)
      const { db } = app.quire.services
      for (const name of ['notes', 'notes.draft', 'upload_files']) {
        const stored = await db.collection(name).find().toArray()
        expect(JSON.stringify(stored)).not.to.include('signature=')
      }
    })

    it('leave foreign URLs and other JSON unchanged', async () => {
      const foreign = { image: { url: 'https://site.example/uploads/a.png' } }
      const block = { type: 'image', ...foreign, children: [{ type: 'text', text: '' }] }
      const free = { url: '/uploads/a.png', image: { url: '/uploads/a.png' } }
      const id = await create({ body: [block], free })
      const { data } = (await get(`/api/notes/${id}`)).body as { data: object }
      expect(data).to.deep.include({ body: [block], free })
    })

    it('are served for a valid link until it expires, and only for private caches', async () => {
      for (const url of urlsIn(file)) {
        const { status, headers } = await fetch(app.url + url)
        expect(status, url).to.equal(200)
        const [, seconds = ''] =
          /^private, max-age=(\d+)$/.exec(headers.get('cache-control') ?? '') ?? []
        expect(Number(seconds))
          .to.be.above(31_000_000)
          .and.below(2 * 31_536_000 + 1)
      }
    })

    it('return 403 without a valid link, whether or not the file exists', async () => {
      const forbidden = errorBody(403, 'ForbiddenError', 'Forbidden', {})
      const [path = '', search = ''] = file.url.split('?')
      const name = path.replace('/uploads/', '')
      const thumbnail = file.formats.thumbnail.url.split('?')[0] ?? ''
      const expired = signLink(key, name, { expires: '1000000000' })
      const endless = signLink(key, name, { width: '400' })
      for (const url of [
        path,
        `${path}?${search}0`,
        `${path}?${search.replace('expires=', 'expires=1')}`,
        `${path}?width=4&${search}`,
        `${thumbnail}?${search}`,
        `/uploads/none_0000000000.png?${search}`,
        '/uploads/none_0000000000.png',
        `${path}?${expired}`,
        `${path}?${endless}`,
      ]) {
        const answer = await app.request('GET', url)
        expect(answer.status, url).to.equal(403)
        expect(answer.body).to.deep.equal(forbidden)
        expect(answer.headers.get('cache-control') ?? '').not.to.include('max-age=3')
      }
      const none = 'none_0000000000.png'
      const valid = signLink(key, none, { expires: '9999999999' })
      expect((await app.request('GET', `/uploads/${none}?${valid}`)).status).to.equal(404)
    })
  })

describe('files with upload.private=false and true', () => {
  it('have plain URLs and need no signature if they are not private', async () => {
    const app = await startApp({ schema })
    try {
      const form = new FormData()
      form.append('files', new Blob([picture], { type: 'image/png' }), 'a.png')
      const { body } = await app.request('POST', '/api/upload', { token: app.token, body: form })
      const [file] = body as readonly [File]
      expect(file.isUrlSigned).to.equal(false)
      for (const url of urlsIn(file)) {
        expect(url).to.match(/^\/uploads\/[a-z0-9_]+\.png$/)
        expect((await fetch(app.url + url)).status).to.equal(200)
      }
    } finally {
      await app.stop()
    }
  })

  it('limit the public cache time of content to the lifetime of links only if they are private', async () => {
    const cached = async (isPrivate: boolean) => {
      const app = await startApp({
        schema,
        settings: {
          'upload.private': isPrivate,
          'upload.linkExpiresInS': 60,
          'http.cache.public': 3600,
        },
      })
      try {
        await app.allow('public', ['api::note.note.find'])
        return (await app.request('GET', '/api/notes')).headers.get('cache-control')
      } finally {
        await app.stop()
      }
    }
    expect(await cached(false)).to.equal('public, max-age=3600')
    expect(await cached(true)).to.equal('public, max-age=60')
  })
})
