import { expect } from 'chai'
import { MongoClient } from 'mongodb'
import { oneByOne } from '../../../engine/database/unit-of-work.js'
import type { ScalarAttribute } from '../../../engine/schema/attribute.js'
import { findFreeUids } from '../../../engine/write/uids.js'
import { isReplicaSet } from '../../support/database-server.js'
import { testDatabaseUri } from '../../support/database.js'
import { startApp } from '../../support/start-app.js'
import type { TestApp } from '../../support/test-app.js'

type Entry = Readonly<Record<string, unknown>> & Readonly<{ documentId: string; slug: unknown }>

const type = (name: string, attributes: object, more: object = {}): object => ({
  kind: 'collectionType',
  collectionName: `${name}s`,
  info: { singularName: name, pluralName: `${name}s`, displayName: name },
  attributes,
  ...more,
})
const localized = { i18n: { localized: true } }
const slug = { type: 'uid', targetField: 'title' }

const schema = {
  'content-types/tale.json': type(
    'tale',
    { title: { type: 'string', pluginOptions: localized }, slug, kind: { type: 'string' } },
    { options: { draftAndPublish: true }, pluginOptions: localized },
  ),
  'content-types/page.json': type('page', {
    title: { type: 'text' },
    slug: { ...slug, required: true },
  }),
  'content-types/code.json': type('code', {
    title: { type: 'string' },
    slug: { ...slug, maxLength: 10, options: { separator: '_' } },
    plain: { type: 'uid' },
    secret: { type: 'password' },
    hidden: { type: 'uid', targetField: 'secret' },
  }),
  'content-types/pair.json': type('pair', {
    title: { type: 'string' },
    slug,
    name: { type: 'string' },
    code: { type: 'uid', targetField: 'name' },
  }),
  'content-types/setting.json': {
    ...type('setting', { title: { type: 'string' }, slug }),
    kind: 'singleType',
    info: { singularName: 'setting', pluralName: 'settings', displayName: 'Setting' },
  },
}

const component = (attributes: object): object => ({ info: { displayName: 'Part' }, attributes })
const part = { type: 'component', component: 'part.chapter', repeatable: true }
const books = {
  'content-types/book.json': type(
    'book',
    {
      title: { type: 'string' },
      chapters: part,
      zone: { type: 'dynamiczone', components: ['part.chapter', 'part.box'] },
    },
    { options: { draftAndPublish: true } },
  ),
  'components/part/chapter.json': component({ title: { type: 'string' }, slug }),
  'components/part/box.json': component({ chapters: part }),
}

const callsOf = (app: TestApp) => {
  const send = (method: string, path: string, data?: object) =>
    app.request(method, path, {
      token: app.token,
      ...(data === undefined ? {} : { body: { data } }),
    })
  const write = async (method: string, path: string, data: object): Promise<Entry> => {
    const { status, text, body } = await send(method, path, data)
    expect(status, text).to.be.oneOf([200, 201])
    return (body as { data: Entry }).data
  }
  return {
    send,
    make: (path: string, data: object) => write('POST', path, data),
    change: (path: string, data: object) => write('PUT', path, data),
  }
}

const numbered = (text: string, count: number) =>
  Array.from({ length: count }, (_, at) => (at === 0 ? text : `${text}-${at}`))

describe('uid with a targetField', () => {
  let app: TestApp
  let calls: ReturnType<typeof callsOf>
  before(async () => {
    app = await startApp({ schema })
    calls = callsOf(app)
    const locale = { code: 'fr', name: 'French', isDefault: false }
    await app.request('POST', '/i18n/locales', { token: app.adminJwt, body: locale })
  })
  after(() => app.stop())

  it('is generated like in Strapi if a create omits it or sends null', async () => {
    const slugs = async (title: string, more = {}) =>
      (await calls.make('/api/pages', { title, ...more })).slug
    expect(await slugs('Hello World')).to.equal('hello-world')
    expect(await slugs('Déjà vu & Straße: 100 %', { slug: null })).to.equal(
      'deja-vu-and-strasse-100',
    )
    expect(await slugs('fooBar', { slug: 'Own_1' })).to.equal('Own_1')
    expect(await slugs("Don't iPhone")).to.equal('don-t-i-phone')
    expect(await slugs('你好')).to.equal('page')
    const long = await slugs('x'.repeat(100_000))
    expect(long).to.equal('x'.repeat(255))
    expect(await slugs('x'.repeat(100_000))).to.equal(`${'x'.repeat(253)}-1`)
  })

  it('is not generated if the target field has no value', async () => {
    const { status, body } = await calls.send('POST', '/api/pages', { title: null })
    expect(status).to.equal(400)
    expect(body).to.have.nested.property('error.details.errors[0].path').that.deep.equals(['slug'])
    expect((await calls.make('/api/tales', { title: '' })).slug).to.equal(null)
  })

  it('is not reported as missing next to an unknown key', async () => {
    const { body } = await calls.send('POST', '/api/pages', { title: 'x', nope: 1 })
    const { message, details } = (body as { error: { message: string; details: object } }).error
    expect([message, details]).to.deep.equal([
      'Invalid key nope',
      { key: 'nope', path: null, source: 'body' },
    ])
  })

  it('follows its separator and maxLength, and is not generated from a password', async () => {
    const made = await calls.make('/api/codes', { title: 'One two three', secret: 'Passw0rd!' })
    expect(made).to.include({ slug: 'one_two_th', plain: null, hidden: null })
    expect((await calls.make('/api/codes', { title: 'One two three' })).slug).to.equal('one_two_-1')
  })

  it('never changes by itself after the create', async () => {
    const { documentId } = await calls.make('/api/tales', { title: 'Kept' })
    const path = `/api/tales/${documentId}`
    expect((await calls.change(path, { title: 'Other' })).slug).to.equal('kept')
    expect((await calls.change(path, { slug: null })).slug).to.equal(null)
    expect((await calls.change(path, { title: 'Third' })).slug).to.equal(null)
  })

  it('gets the next number free among drafts and published versions of a locale', async () => {
    const make = async (search = '') => calls.make(`/api/tales${search}`, { title: 'Rain' })
    const first = await make()
    expect(first.slug).to.equal('rain')
    expect((await make('?status=draft')).slug).to.equal('rain-1')
    expect((await make()).slug).to.equal('rain-2')
    expect((await make('?locale=fr')).slug).to.equal('rain')
    await calls.change(`/api/tales/${first.documentId}?status=draft`, { slug: 'moved' })
    expect((await make()).slug, 'of a published version').to.equal('rain-3')
    const second = { title: 'Rain', kind: 'x' }
    const french = await calls.change(`/api/tales/${first.documentId}?locale=fr`, second)
    expect(french.slug, 'of a new locale').to.equal('rain-1')
  })

  it('is generated when a PUT creates a single type', async () => {
    expect((await calls.change('/api/setting', { title: 'About us' })).slug).to.equal('about-us')
    expect((await calls.change('/api/setting', { title: 'Contact' })).slug).to.equal('about-us')
  })

  for (const [kind, path] of [
    ['published entries', '/api/tales'],
    ['drafts', '/api/tales?status=draft'],
    ['entries without drafts', '/api/pages'],
  ] as const)
    it(`is unique for each of many ${kind} created at the same time`, async () => {
      const made = await Promise.all(
        Array.from({ length: 20 }, () => calls.make(path, { title: `Many ${path}` })),
      )
      const [first = ''] = made.map((entry) => String(entry.slug)).sort()
      expect(made.map((entry) => entry.slug)).to.have.members(numbered(first, 20))
    })

  it('stays unique if a title looks like the numbered slug of another', async () => {
    const titles = ['Part', 'Part 1', 'Part', 'Part 1', 'Part', 'Part-1-1']
    const made = await Promise.all(
      titles.map((title) => calls.make('/api/tales?status=draft', { title })),
    )
    expect(new Set(made.map((entry) => entry.slug)).size).to.equal(titles.length)
  })

  it('does not deadlock if two entries need the same slugs in opposite order', async () => {
    const made = await Promise.all(
      ['x', 'y', 'x', 'y'].map((title) =>
        calls.make('/api/pairs', { title, name: title === 'x' ? 'y' : 'x' }),
      ),
    )
    for (const name of ['slug', 'code'])
      expect(made.map((entry) => entry[name])).to.have.members(['x', 'x-1', 'y', 'y-1'])
  })

  it('is generated for each entry of a large bulk request', async () => {
    const operations = Array.from({ length: 60 }, () => ({ op: 'create', data: { title: 'Bulk' } }))
    const body = { operations }
    const answer = await app.request('POST', '/api/pages/bulk', { token: app.token, body })
    const { data } = answer.body as { data: readonly { data: Entry }[] }
    expect(new Set(data.map((one) => one.data.slug)).size).to.equal(60)
    expect((await calls.make('/api/pages', { title: 'Bulk' })).slug).to.match(/^bulk-\d+$/)
  })

  it('is not generated with api.rest.generateUids=false', async () => {
    const plain = await startApp({ schema, settings: { 'api.rest.generateUids': false } })
    try {
      expect((await callsOf(plain).make('/api/tales', { title: 'Rain' })).slug).to.equal(null)
    } finally {
      await plain.stop()
    }
  })

  it('is unique if several instances create entries at the same time', async () => {
    const databaseUri = await testDatabaseUri()
    const apps = [await startApp({ schema, databaseUri }), await startApp({ schema, databaseUri })]
    try {
      const made = await Promise.all(
        Array.from({ length: 10 }, (_, at) =>
          callsOf(apps[at % 2]!).make('/api/tales', { title: 'Shared' }),
        ),
      )
      expect(made.map((entry) => entry.slug)).to.have.members(numbered('shared', 10))
      // Duplicates among drafts are only prevented by transactions, which only replica sets support.
      if (!isReplicaSet()) return
      const drafts = await Promise.all(
        Array.from({ length: 10 }, (_, at) =>
          callsOf(apps[at % 2]!).make('/api/tales?status=draft', { title: 'Draft' }),
        ),
      )
      expect(drafts.map((entry) => entry.slug)).to.have.members(numbered('draft', 10))
    } finally {
      await apps[0]!.quire.services.db.dropDatabase()
      for (const one of apps) await one.stop()
    }
  })
})

describe('uid with a targetField in a component', () => {
  let app: TestApp
  let databaseUri: string
  let calls: ReturnType<typeof callsOf>
  before(async () => {
    databaseUri = await testDatabaseUri()
    app = await startApp({ schema: books, databaseUri })
    calls = callsOf(app)
  })
  after(async () => {
    await app.quire.services.db.dropDatabase()
    await app.stop()
  })

  const all =
    '?populate[chapters]=true&populate[zone][on][part.chapter]=true&populate[zone][on][part.box][populate]=*'
  type Chapter = Readonly<{ id: number; slug: string | null; chapters?: readonly Chapter[] }>
  const chaptersOf = (entry: Entry): readonly Chapter[] => {
    const { chapters, zone = [] } = entry as unknown as { chapters: Chapter[]; zone?: Chapter[] }
    return [...chapters, ...zone.flatMap((one) => one.chapters ?? [one])]
  }
  const slugsOf = (entry: Entry) => chaptersOf(entry).map((chapter) => chapter.slug)
  const rain = { title: 'Rain' }

  it('is generated at any depth, unique within the entry and the type', async () => {
    const data = {
      chapters: [rain, { title: 'Snow', slug: 'rain-1' }, rain, { title: null }],
      zone: [
        { __component: 'part.chapter', ...rain },
        { __component: 'part.box', chapters: [rain] },
      ],
    }
    const first = await calls.make(`/api/books${all}`, data)
    expect(slugsOf(first)).to.deep.equal(['rain', 'rain-1', 'rain-2', null, 'rain-3', 'rain-4'])
    const second = await calls.make(`/api/books${all}&status=draft`, { chapters: [rain] })
    expect(slugsOf(second)).to.deep.equal(['rain-5'])
  })

  it('stays in an existing component, and is generated for a new one', async () => {
    const hail = { title: 'Hail' }
    const made = await calls.make(`/api/books${all}`, { chapters: [hail, hail] })
    expect(slugsOf(made)).to.deep.equal(['hail', 'hail-1'])
    const [one, two] = chaptersOf(made)
    const path = `/api/books/${made.documentId}${all}`
    const reordered = [{ id: two?.id, title: 'Other' }, { id: one?.id }, hail]
    expect(slugsOf(await calls.change(path, { chapters: reordered }))).to.deep.equal([
      ...['hail-1', 'hail', 'hail-2'],
    ])
    expect(slugsOf(await calls.change(path, { chapters: [hail] }))).to.deep.equal(['hail'])
  })

  it('is unique for entries created at the same time', async () => {
    const made = await Promise.all(
      Array.from({ length: 8 }, () =>
        calls.make(`/api/books${all}`, { chapters: [{ title: 'A' }, { title: 'B' }] }),
      ),
    )
    expect(made.flatMap(slugsOf)).to.have.members([...numbered('a', 8), ...numbered('b', 8)])
  })

  it('takes no more commands for many components than for few', async () => {
    const snow = { title: 'Snow' }
    const chapters = Array.from({ length: 300 }, () => snow)
    const made = await calls.make(`/api/books${all}`, { chapters })
    expect(slugsOf(made)).to.deep.equal(numbered('snow', 300))
    const { registry } = app.quire.services
    const client = new MongoClient(databaseUri, { monitorCommands: true })
    const type = registry().contentTypes.get('api::book.book')!
    const slug = registry().components.get('part.chapter')!.attributes.get('slug')
    const inner = { paths: ['chapters.slug'], own: new Set<string>() }
    const place = { type, attribute: slug as ScalarAttribute, locale: null, inner }
    const unit = oneByOne(client.db())
    let commands = 0
    client.on('commandStarted', () => void (commands += 1))
    const countFor = async (wanted: readonly string[]): Promise<number> => {
      commands = 0
      expect(new Set(await findFreeUids(unit, place, wanted)).size).to.equal(wanted.length)
      return commands
    }
    try {
      const few = await countFor(['snow'])
      expect(few).to.be.at.most(20)
      const many = Array.from({ length: 900 }, (_, at) => `text-${at % 450}`)
      expect(await countFor(['snow', ...many])).to.be.at.most(few)
    } finally {
      await client.close()
    }
  })
})

describe('/content-manager/uid', () => {
  let app: TestApp
  before(async () => {
    app = await startApp({ schema })
    const locale = { code: 'fr', name: 'French', isDefault: false }
    await app.request('POST', '/i18n/locales', { token: app.adminJwt, body: locale })
    await callsOf(app).make('/api/tales', { title: 'Rain' })
    await callsOf(app).make('/api/tales?status=draft', { title: 'Rain' })
  })
  after(() => app.stop())

  const ask = async (path: string, body: object, token: string | undefined = app.adminJwt) => {
    const answer = await app.request('POST', `/content-manager/uid/${path}`, { token, body })
    return [answer.status, answer.body] as const
  }
  const tale = { contentTypeUID: 'api::tale.tale', field: 'slug' }

  it('generates a uid that is free in the locale', async () => {
    const generate = async (data: object, search = '') =>
      ask(`generate${search}`, { ...tale, data })
    expect(await generate({ title: 'New one' })).to.deep.equal([200, { data: 'new-one' }])
    expect(await generate({ title: 'Rain' })).to.deep.equal([200, { data: 'rain-2' }])
    expect(await generate({ title: 'Rain' }, '?locale=fr')).to.deep.equal([200, { data: 'rain' }])
    expect(await generate({})).to.deep.equal([200, { data: 'tale' }])
  })

  it('returns whether a uid is free, and suggests another one', async () => {
    const check = async (value: string) => ask('check-availability', { ...tale, value })
    expect(await check('snow')).to.deep.equal([200, { isAvailable: true, suggestion: null }])
    expect(await check('rain')).to.deep.equal([200, { isAvailable: false, suggestion: 'rain-2' }])
    expect(await check('rain-1')).to.deep.equal([
      ...[200, { isAvailable: false, suggestion: 'rain-1-1' }],
    ])
    expect((await check('no slug!'))[0]).to.equal(400)
  })

  it('rejects unknown types and attributes, and callers who are not admins', async () => {
    const message = async (body: object) => {
      const [status, answer] = await ask('generate', { data: {}, ...body })
      return [status, (answer as { error: { message: string } }).error.message]
    }
    expect(await message({ ...tale, contentTypeUID: 'api::tal.tal' })).to.deep.equal([
      ...[400, 'ContentType not found'],
    ])
    expect(await message({ ...tale, field: 'title' })).to.deep.equal([
      ...[400, 'title must be a valid `uid` attribute'],
    ])
    expect(await message({ field: 'slug' })).to.deep.equal([
      ...[400, 'contentTypeUID is a required field'],
    ])
    const [unknown] = await ask('generate?locale=xx', { ...tale, data: {} })
    expect(unknown).to.equal(400)
    expect((await ask('generate', { ...tale, data: {} }, app.token))[0]).to.equal(401)
  })
})
