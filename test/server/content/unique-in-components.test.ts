import { expect } from 'chai'
import type { Answer } from '../../support/request.js'
import type { TestApp } from '../../support/test-app.js'
import { startApp } from '../../support/start-app.js'
import { component, contentType, i18n } from '../../engine/write/model.js'

const code = (attribute: object) => ({ ...attribute, unique: true })
const list = (uid: string, more = {}) => ({
  type: 'component',
  component: uid,
  repeatable: true,
  ...more,
})

const types = [
  component('menu.item', {
    t: { type: 'string' },
    slug: code({ type: 'string' }),
    price: code({ type: 'decimal' }),
    at: code({ type: 'datetime' }),
    big: code({ type: 'biginteger' }),
    secret: code({ type: 'string', private: true }),
    long: code({ type: 'text' }),
  }),
  component('menu.box', { t: { type: 'string' }, items: list('menu.item') }),
  component('menu.shelf', {
    boxes: list('menu.box'),
    item: list('menu.item', { repeatable: false }),
  }),
  component('menu.tag', { slug: { type: 'uid' } }),
  contentType(
    'leaf',
    {
      title: { type: 'string', required: true },
      code: { type: 'string', unique: true },
      one: { type: 'component', component: 'menu.item' },
      items: list('menu.item'),
      shelves: list('menu.shelf'),
      zone: { type: 'dynamiczone', components: ['menu.item', 'menu.box', 'menu.tag'] },
    },
    { drafts: true },
  ),
  contentType('plain', { title: { type: 'string', unique: true }, items: list('menu.item') }),
  contentType(
    'page',
    {
      title: { type: 'string', pluginOptions: i18n },
      shared: list('menu.item'),
      own: list('menu.item', { pluginOptions: i18n }),
    },
    { drafts: true, localized: true },
  ),
]

const schema = Object.fromEntries(
  types.map(({ uid, kind, definition }) => [
    kind === 'component'
      ? `components/${uid.replace('.', '/')}.json`
      : `content-types/${uid.slice(5)}.json`,
    definition,
  ]),
)

type Failed = Readonly<{
  error: {
    message: string
    details: {
      errors: readonly Readonly<{ path: readonly string[]; message: string; value?: unknown }>[]
    }
  }
}>

describe('unique attribute of a component', function () {
  let app: TestApp
  before(async () => {
    app = await startApp({ schema })
    for (const locale of ['fr', 'de'])
      await app.request('POST', '/i18n/locales', {
        token: app.adminJwt,
        body: { code: locale, name: locale, isDefault: false },
      })
  })
  after(() => app.stop())
  afterEach(async () => {
    for (const name of ['leafs', 'plains', 'pages'])
      for (const collection of [name, `${name}.draft`])
        await app.quire.services.db.collection(collection).deleteMany({})
  })

  const send = (method: string, path: string, data?: object): Promise<Answer> =>
    app.request(method, `/api/${path}`, {
      token: app.token,
      ...(data === undefined ? {} : { body: { data } }),
    })
  const status = async (answer: Promise<Answer>) => (await answer).status
  const create = async (path: string, data: object): Promise<string> => {
    const { status, body } = await send('POST', path, { title: 'x', ...data })
    expect(status, JSON.stringify(body)).to.equal(201)
    return (body as { data: { documentId: string } }).data.documentId
  }
  const refused = async (answer: Promise<Answer>) => {
    const { status, body } = await answer
    expect(status, JSON.stringify(body)).to.equal(400)
    return (body as Failed).error.details.errors.map(({ path, message }) => {
      expect(message).to.equal('This attribute must be unique')
      return path.join('.')
    })
  }
  const items = (...slugs: string[]) => slugs.map((slug) => ({ slug }))

  it('is rejected if items of a list have the same value, with the path of the later ones', async () => {
    const post = send('POST', 'leafs', { title: 'x', items: items('a', 'b', 'a', 'a') })
    expect(await refused(post)).to.deep.equal(['items.2.slug', 'items.3.slug'])
  })

  it('is rejected if two attributes, zones or depths of an entry hold the same value', async () => {
    const data = {
      title: 'x',
      one: { slug: 'a' },
      shelves: [{ item: { slug: 'b' }, boxes: [{ items: items('c', 'a') }] }],
      zone: [
        { __component: 'menu.box', items: items('b') },
        { __component: 'menu.item', slug: 'd' },
      ],
    }
    expect(await refused(send('POST', 'leafs', data))).to.deep.equal([
      'shelves.0.boxes.0.items.1.slug',
      'zone.0.items.0.slug',
    ])
  })

  it('is rejected if another entry of the type has the value at any place', async () => {
    await create('leafs', { items: items('a') })
    const zone = [{ __component: 'menu.box', items: items('b', 'a') }]
    expect(await refused(send('POST', 'leafs', { title: 'y', zone }))).to.deep.equal([
      'zone.0.items.1.slug',
    ])
    await create('plains', { items: items('a') })
    expect(await refused(send('POST', 'plains', { items: items('a') }))).to.deep.equal([
      'items.0.slug',
    ])
  })

  it('is reported together with other errors', async () => {
    await create('leafs', { code: 'c', items: items('a') })
    const { body } = await send('POST', 'leafs', { code: 'c', items: items('a') })
    expect((body as Failed).error.details.errors.map(({ path }) => path.join('.'))).to.deep.equal([
      'title',
      'code',
      'items.0.slug',
    ])
  })

  it('allows null, the same text in another attribute, and the same uid in another component', async () => {
    const zone = [
      { __component: 'menu.tag', slug: 'a' },
      { __component: 'menu.item', slug: 'a', secret: 'a', price: null },
    ]
    await create('leafs', { zone, items: [{ slug: null }, { t: 'x' }, {}] })
    expect(
      await refused(send('POST', 'leafs', { title: 'y', zone: zone.slice(0, 1) })),
    ).to.deep.equal(['zone.0.slug'])
  })

  it('compares values like the database', async () => {
    const long = 'x'.repeat(5000)
    await create('leafs', {
      items: [{ price: '1.50', at: '2024-01-01T00:00:00.000Z', big: '9007199254740993', long }],
    })
    const at = '2024-01-01T02:00:00+02:00'
    const data = {
      title: 'y',
      items: [{ price: 1.5 }, { at }, { big: '9007199254740993' }, { long }],
    }
    expect(await refused(send('POST', 'leafs', data))).to.deep.equal([
      'items.0.price',
      'items.1.at',
      'items.2.big',
      'items.3.long',
    ])
    await create('leafs', { items: [{ price: 1.51, big: '9007199254740992', long: `${long}y` }] })
  })

  it('never conflicts with previous values of its own entry, in any order', async () => {
    for (const path of ['leafs', 'plains']) {
      const id = await create(path, { items: items('a', 'b') })
      expect(await status(send('PUT', `${path}/${id}`, { items: items('b', 'a') }))).to.equal(200)
      expect(await status(send('PUT', `${path}/${id}`, { items: items('c', 'a') }))).to.equal(200)
      expect(await status(send('PUT', `${path}/${id}`, { title: 'again' }))).to.equal(200)
      expect(await refused(send('PUT', `${path}/${id}`, { items: items('c', 'c') }))).to.deep.equal(
        ['items.1.slug'],
      )
      await create(path, { title: 'other', items: items('b') })
      expect(await refused(send('PUT', `${path}/${id}`, { items: items('b') }))).to.deep.equal([
        'items.0.slug',
      ])
    }
  })

  it('may move to another attribute of its entry', async () => {
    const id = await create('leafs', { items: items('a') })
    const zone = [{ __component: 'menu.item', slug: 'a' }]
    expect(await status(send('PUT', `leafs/${id}`, { items: [], zone }))).to.equal(200)
    expect(await refused(send('PUT', `leafs/${id}`, { items: items('a') }))).to.deep.equal([
      'zone.0.slug',
    ])
    expect(await status(send('PUT', `leafs/${id}`, { zone: [] }))).to.equal(200)
    await create('leafs', { one: { slug: 'a' } })
  })

  it('is checked in items edited by their id', async () => {
    await create('leafs', { items: items('z') })
    const id = await create('leafs', { items: items('a', 'b') })
    const { body } = await send('GET', `leafs/${id}?populate=items`)
    const [first, second] = (body as { data: { items: { id: number }[] } }).data.items
    const swapped = [
      { id: second?.id, slug: 'a' },
      { id: first?.id, slug: 'b' },
    ]
    expect(await status(send('PUT', `leafs/${id}`, { items: swapped }))).to.equal(200)
    const edited = [
      { id: first?.id, t: 'x' },
      { id: second?.id, slug: 'b' },
    ]
    expect(await refused(send('PUT', `leafs/${id}`, { items: edited }))).to.deep.equal([
      'items.1.slug',
    ])
    const taken = [{ id: first?.id, slug: 'z' }]
    expect(await refused(send('PUT', `leafs/${id}`, { items: taken }))).to.deep.equal([
      'items.0.slug',
    ])
  })

  it('is not checked in drafts, but when they are published', async () => {
    await create('leafs', { items: items('a') })
    const draft = await create('leafs?status=draft', { items: items('a', 'b', 'b') })
    const publish = () => send('POST', `leafs/${draft}/actions/publish`)
    expect(await refused(publish())).to.deep.equal(['items.0.slug', 'items.2.slug'])
    expect(await refused(send('PUT', `leafs/${draft}`, {}))).to.deep.equal([
      'items.0.slug',
      'items.2.slug',
    ])
    await send('PUT', `leafs/${draft}?status=draft`, { items: items('b') })
    expect(await status(publish())).to.equal(200)
    expect(await refused(send('POST', 'leafs', { title: 'y', items: items('b') }))).to.deep.equal([
      'items.0.slug',
    ])
  })

  it('is free after its entry is unpublished or deleted, but not after a draft is discarded', async () => {
    const id = await create('leafs', { items: items('a') })
    await send('PUT', `leafs/${id}?status=draft`, { items: items('b') })
    await create('leafs', { items: items('c') })
    expect(await status(send('POST', `leafs/${id}/actions/discard-draft`))).to.equal(200)
    expect(await status(send('PUT', `leafs/${id}`, {}))).to.equal(200)
    expect(await refused(send('POST', 'leafs', { title: 'y', items: items('a') }))).to.have.length(
      1,
    )
    expect(await status(send('POST', `leafs/${id}/actions/unpublish`))).to.equal(200)
    const other = await create('leafs', { items: items('a') })
    expect(await refused(send('POST', `leafs/${id}/actions/publish`))).to.deep.equal([
      'items.0.slug',
    ])
    await send('DELETE', `leafs/${other}`)
    expect(await status(send('POST', `leafs/${id}/actions/publish`))).to.equal(200)
  })

  it('is unique per locale, and a shared value counts in every locale of its document', async () => {
    const id = await create('pages', { own: items('a'), shared: items('s') })
    await create('pages?locale=fr', { own: items('a') })
    const fr = send('POST', 'pages?locale=fr', { shared: items('s') })
    expect(await refused(fr)).to.deep.equal(['shared.0.slug'])
    const own = send('PUT', `pages/${id}?locale=fr`, { title: 'y', own: items('a') })
    expect(await refused(own)).to.deep.equal(['own.0.slug'])
    expect(
      await status(send('PUT', `pages/${id}?locale=fr`, { title: 'y', own: items('b') })),
    ).to.equal(200)
    // A shared value is taken in every locale in which its document exists.
    expect(await status(send('PUT', `pages/${id}`, { shared: items('t') }))).to.equal(200)
    for (const locale of ['en', 'fr', 'de']) {
      const taken = send('POST', `pages?locale=${locale}`, { own: items('t') })
      if (locale === 'de') expect(await status(taken)).to.equal(201)
      else expect(await refused(taken)).to.deep.equal(['own.0.slug'])
    }
    // This write adds a locale in which the document's shared value is already taken.
    expect(await refused(send('PUT', `pages/${id}?locale=de`, { title: 'z' }))).to.deep.equal([
      'shared.0.slug',
    ])
    expect(
      await status(send('PUT', `pages/${id}?locale=fr`, { shared: items('s', 'u') })),
    ).to.equal(200)
    expect(await refused(send('POST', 'pages', { own: items('u') }))).to.deep.equal(['own.0.slug'])
    await create('pages', { own: items('t') })
  })

  it('is not revealed by the error if it is private', async () => {
    await create('leafs', { one: { secret: 'hidden' } })
    const { body } = await send('POST', 'leafs', { title: 'y', one: { secret: 'hidden' } })
    expect((body as Failed).error.details.errors).to.deep.equal([
      {
        path: ['one', 'secret'],
        message: 'This attribute must be unique',
        name: 'ValidationError',
      },
    ])
  })

  it('is checked by the database for concurrent writes', async () => {
    for (const path of ['leafs', 'plains']) {
      const all = Array.from({ length: 30 }, (_, at) =>
        status(send('POST', path, { title: `${path} ${at}`, items: items(`${at}`, 'same') })),
      )
      const statuses = (await Promise.all(all)).sort()
      expect(statuses).to.deep.equal([201, ...Array.from({ length: 29 }, () => 400)])
      for (const collection of [path, `${path}.draft`]) {
        const { db } = app.quire.services
        if (collection !== 'plains.draft')
          expect(await db.collection(collection).countDocuments()).to.equal(1)
      }
    }
  })

  it('reports only the first hundred conflicts', async () => {
    const data = { items: Array.from({ length: 200 }, (_, at) => ({ slug: `s${at}`, price: at })) }
    const id = await create('leafs', data)
    const more = { items: [...data.items, { slug: 'new' }] }
    expect(await status(send('PUT', `leafs/${id}`, more))).to.equal(200)
    expect(await refused(send('POST', 'leafs', { title: 'y', ...more }))).to.have.length(100)
  })

  it('is checked among the operations of a bulk request', async () => {
    const operations = ['a', 'b', 'a'].map((slug) => ({
      op: 'create',
      data: { title: slug, items: items(slug) },
    }))
    const options = { token: app.token, body: { operations } }
    const { body } = await app.request('POST', '/api/leafs/bulk', options)
    const statuses = (body as { data: { status: number }[] }).data.map(({ status }) => status)
    expect(statuses.sort()).to.deep.equal([201, 201, 400])
  })
})
