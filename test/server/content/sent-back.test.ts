import { expect } from 'chai'
import fc from 'fast-check'
import { drawPicture } from '../../support/draw-picture.js'
import { startApp } from '../../support/start-app.js'
import type { TestApp } from '../../support/test-app.js'
import { articleData, type ArticleParts } from './any-article.js'
import { runs } from '../../support/properties.js'

type Entry = Readonly<Record<string, unknown>>

describe('response sent back as an update', () => {
  let app: TestApp
  before(async () => {
    app = await startApp()
  })
  after(() => app.stop())

  const call = (method: string, path: string, data?: unknown) =>
    app.request(method, `/api${path}`, {
      token: app.token,
      ...(data === undefined ? {} : { body: { data } }),
    })
  const dataOf = (answer: { body: unknown }): Entry => (answer.body as { data: Entry }).data
  const create = async (path: string, data: object): Promise<Entry> => {
    const answer = await call('POST', path, data)
    expect(answer.status, answer.text).to.equal(201)
    return dataOf(answer)
  }
  const message = (answer: { body: unknown }): string =>
    (answer.body as { error: { message: string } }).error.message

  const deep = [
    ...['author', 'cover', 'gallery', 'category', 'related', 'localizations'].map(
      (name) => `populate[${name}]=true`,
    ),
    'populate[tags][populate]=*&populate[seo][populate]=*',
    'populate[sections][populate]=*',
  ].join('&')
  const forms = {
    '*': 'populate=*',
    deep,
    wrapped:
      'populate[tags][filters][name][$notNull]=true&populate[related][filters][id][$notNull]=true',
    everything:
      'populate[seo][populate][social][populate]=*&populate[seo][populate][image]=true' +
      '&populate[sections][on][section.hero][populate]=*' +
      '&populate[sections][on][section.quote][populate][by][populate]=*' +
      '&populate[sections][on][section.related][populate]=*&populate[tags][populate]=articles',
  }

  it('changes nothing, for any document and populate', async () => {
    const parts = await makeParts(app)
    await fc.assert(
      fc.asyncProperty(
        articleData(parts),
        fc.constantFrom(...Object.values(forms)),
        fc.constantFrom('', '&status=draft'),
        async (data, populate, status) => {
          const { documentId } = await create(`/articles?${status.slice(1)}`, data)
          const path = `/articles/${String(documentId)}`
          const whole = `${path}?${forms.everything}${status}`
          const [read, before] = [
            await call('GET', `${path}?${populate}${status}`),
            await call('GET', whole),
          ]
          const answer = await call('PUT', `${path}?${status.slice(1)}`, dataOf(read))
          expect(answer.status, answer.text).to.equal(200)
          const after = await call('GET', whole)
          expect(timeless(dataOf(after))).to.deep.equal(timeless(dataOf(before)))
        },
      ),
      { numRuns: runs(40) },
    )
  }).timeout(120_000)

  it('is accepted for the inverse side of a relation and for a single type', async () => {
    const author = await create('/authors', { name: 'Ada' })
    await create('/articles', { title: 'By Ada', author: author['documentId'] })
    const path = `/authors/${String(author['documentId'])}`
    const read = dataOf(await call('GET', `${path}?populate=*`))
    expect((await call('PUT', path, read)).status).to.equal(200)
    expect(timeless(dataOf(await call('GET', `${path}?populate=*`)))).to.deep.equal(timeless(read))

    const hero = { heading: 'Here', cta: { label: 'go' } }
    expect((await call('PUT', '/homepage', { heading: 'Home', hero })).status).to.equal(200)
    const home = dataOf(await call('GET', '/homepage?populate[hero][populate]=*'))
    expect((await call('PUT', '/homepage', home)).status).to.equal(200)
  })

  it('replaces the components of a changed draft with the published ones', async () => {
    const data = { title: 'Two states', seo: { metaTitle: 'published', social: [{ url: 'a' }] } }
    const { documentId } = await create('/articles', data)
    const path = `/articles/${String(documentId)}`
    const populate = 'populate[seo][populate]=*'
    const published = dataOf(await call('GET', `${path}?${populate}`))
    const draft = { seo: { metaTitle: 'draft' } }
    expect((await call('PUT', `${path}?status=draft`, draft)).status).to.equal(200)
    expect((await call('PUT', path, published)).status).to.equal(200)
    const after = dataOf(await call('GET', `${path}?${populate}&status=draft`))
    expect(after['seo']).to.deep.equal(published['seo'])
  })

  it('keeps values nested in a dynamic zone that were not populated', async () => {
    const cta = { label: 'go', href: '/' }
    const sections = [{ __component: 'section.hero', heading: 'Here', cta }]
    const { documentId } = await create('/articles', { title: 'A zone', sections })
    const path = `/articles/${String(documentId)}`
    const read = dataOf(await call('GET', `${path}?populate=*`))
    expect((await call('PUT', path, read)).status).to.equal(200)
    const after = dataOf(await call('GET', `${path}?populate[sections][populate]=*`))
    const [hero] = after['sections'] as Entry[]
    expect(hero?.['cta']).to.include(cta)
    // A component with an id that is unknown or belongs to another component is stored as a new one.
    const others = [
      { ...sections[0], cta: null, id: 999_999 },
      { ...hero, __component: 'section.quote', text: 'x' },
    ]
    const strange = await call('PUT', `${path}?populate[sections][populate]=*`, {
      sections: others.map((entry) => without(entry, 'cta', 'heading', 'picture')),
    })
    expect(strange.status, strange.text).to.equal(200)
    const [first, second] = dataOf(strange)['sections'] as Entry[]
    expect([first?.['cta'], second?.['text']]).to.deep.equal([null, 'x'])
    expect([first?.['id'], second?.['id']]).not.to.include(hero?.['id'])
  })

  it('may contain a file with its related entries', async () => {
    const files = await makeFiles(app)
    const data = { title: 'Pictured', cover: files[0], gallery: files, seo: { metaTitle: 'x' } }
    const { documentId } = await create('/articles', data)
    const path = `/articles/${String(documentId)}`
    for (const populate of [
      'populate[cover][populate]=related&populate[gallery][populate][related]=true',
      'populate[cover][populate]=*&populate[gallery][populate]=*',
    ]) {
      const read = dataOf(await call('GET', `${path}?${populate}`))
      expect(read['cover']).to.have.nested.property('related[0].documentId', documentId)
      const answer = await call('PUT', path, read)
      expect(answer.status, answer.text).to.equal(200)
      const after = dataOf(await call('GET', `${path}?${populate}`))
      expect(timeless(after)).to.deep.equal(timeless(read))
    }
    const tag = await create('/tags', { name: 'No file' })
    const wrong = await call('PUT', path, { tags: [{ ...tag, related: [] }] })
    expect([wrong.status, message(wrong)]).to.deep.equal([400, 'Invalid key related at tags'])
  })

  it('may contain read-only attributes with their current values only', async () => {
    const { documentId, id } = await create('/articles', { title: 'Facts' })
    const path = `/articles/${String(documentId)}`
    const read = dataOf(await call('GET', path))
    const wrong = {
      id: Number(id) + 1000,
      documentId: 'a'.repeat(24),
      createdAt: '2020-01-01T00:00:00.000Z',
      updatedAt: '2020-01-01T00:00:00.000Z',
      createdBy: { id: 1, documentId: 'x' },
      updatedBy: 1,
      localizations: [{ documentId: 'x', locale: 'de' }],
    }
    for (const [key, value] of Object.entries(wrong)) {
      const answer = await call('PUT', path, { [key]: value })
      expect([answer.status, message(answer)], key).to.deep.equal([400, `Invalid key ${key}`])
      if (key in read)
        expect((await call('PUT', path, { [key]: read[key] })).status, key).to.equal(200)
      const created = await call('POST', '/articles', { title: 'x', [key]: value })
      expect([created.status, message(created)], key).to.deep.equal([400, `Invalid key ${key}`])
      Object.assign(read, dataOf(await call('GET', path)))
    }
  })

  it('cannot change status and locale, which are set by parameters', async () => {
    const { documentId } = await create('/articles', { title: 'Parameters' })
    const path = `/articles/${String(documentId)}`
    const publishedAt = dataOf(await call('GET', path))['publishedAt']
    const status =
      'Invalid key publishedAt. Use the parameter status to choose whether a version is published'
    const locale = 'Invalid key locale. Use the parameter locale to choose which locale is written'
    const refused = async (method: string, to: string, data: object, expected: string) => {
      const answer = await call(method, to, data)
      expect([answer.status, message(answer)]).to.deep.equal([400, expected])
    }
    await refused('PUT', path, { publishedAt: null }, status)
    await refused('PUT', path, { publishedAt: '2020-01-01T00:00:00.000Z' }, status)
    await refused('POST', '/articles', { title: 'x', publishedAt: null }, status)
    await refused('PUT', path, { locale: 'fr' }, locale)
    await refused('POST', '/articles', { title: 'x', locale: 'fr' }, locale)
    expect((await call('PUT', `${path}?status=draft`, { publishedAt: null })).status).to.equal(200)
    expect((await call('PUT', `${path}?status=draft`, { publishedAt })).status).to.equal(200)
    expect((await call('POST', '/articles', { title: 'x', locale: 'en' })).status).to.equal(201)

    const putBody = (search: string, body: object) =>
      app.request('PUT', `/api${path}${search}`, { token: app.token, body: { data: {}, ...body } })
    const draft = await putBody('', { status: 'draft' })
    expect([draft.status, message(draft)]).to.deep.equal([
      400,
      'Invalid key status. Use the parameter status to choose which version is written',
    ])
    expect((await putBody('?status=draft', { status: 'draft' })).status).to.equal(200)
    expect(message(await putBody('', { locale: 'fr' }))).to.equal(locale)
    expect((await putBody('', { locale: 'en', status: 'published' })).status).to.equal(200)
  })

  it('identifies targets by documentId or id, and rejects their unknown keys', async () => {
    const tag = await create('/tags', { name: 'Sent back', color: '#ffffff' })
    const article = async (tags: unknown) => {
      const answer = await call('POST', '/articles?populate=tags', { title: 'x', tags })
      return answer.status === 201
        ? (dataOf(answer)['tags'] as Entry[]).map(({ name }) => name)
        : message(answer)
    }
    expect(await article([tag])).to.deep.equal(['Sent back'])
    expect(await article({ data: [tag] })).to.deep.equal(['Sent back'])
    expect(await article({ data: [{ id: tag['id'], attributes: { name: 'x' } }] })).to.deep.equal([
      'Sent back',
    ])
    expect(await article({ connect: [tag] })).to.deep.equal(['Sent back'])
    expect(await article([{ ...tag, id: 999_999 }])).to.deep.equal(['Sent back'])
    expect(await article([{ ...tag, nope: 1 }])).to.equal('Invalid key nope at tags')
    expect(await article([{ ...tag, status: 'draft' }])).to.equal('Invalid key status at tags')
    expect(await article({ name: 'Sent back' })).to.equal('Invalid key name at tags')
  })

  it('is accepted for a user', async () => {
    const options = { token: app.token }
    const { body } = await app.request('GET', '/api/users-permissions/roles', options)
    const [role] = (body as { roles: Entry[] }).roles
    const user = { username: 'ada', email: 'ada@example.org', password: 'Passw0rd!' }
    const made = await app.request('POST', '/api/users', {
      ...options,
      body: { ...user, role: role?.['id'] },
    })
    const path = `/api/users/${String((made.body as Entry)['id'])}`
    const read = await app.request('GET', `${path}?populate=*`, options)
    const answer = await app.request('PUT', path, { ...options, body: read.body })
    expect(answer.status, answer.text).to.equal(200)
    expect(timeless(answer.body)).to.deep.equal(timeless(read.body))
  })
})

describe('response sent back with api.rest.unknownKeys=ignore', () => {
  it('has a different status or locale ignored and reported', async () => {
    const app = await startApp({ settings: { 'api.rest.unknownKeys': 'ignore' } })
    try {
      const answer = await app.request('POST', '/api/articles', {
        token: app.token,
        body: {
          data: { title: 'x', publishedAt: null, locale: 'fr' },
          status: 'draft',
          locale: 'de',
        },
      })
      expect([answer.status, answer.headers.get('quire-ignored')]).to.deep.equal([
        201,
        'status, locale, data.publishedAt, data.locale',
      ])
      expect((answer.body as { data: Entry }).data['locale']).to.equal('en')
      const { documentId, publishedAt } = (answer.body as { data: Entry }).data
      const same = await app.request('PUT', `/api/articles/${String(documentId)}`, {
        token: app.token,
        body: {
          data: { title: 'y', publishedAt, locale: 'en' },
          status: 'published',
          locale: 'en',
        },
      })
      expect([same.status, same.headers.get('quire-ignored')]).to.deep.equal([200, null])
    } finally {
      await app.stop()
    }
  })
})

describe('response sent back with attributes that are not writable', () => {
  const fixed = { writable: false }
  const part = {
    info: { displayName: 'Part' },
    attributes: {
      label: { type: 'string' },
      rank: { type: 'biginteger', ...fixed, default: '9007199254740993' },
    },
  }
  const kinds = {
    text: { type: 'string', default: 'as it is', ...fixed },
    price: { type: 'decimal', default: 12.5, ...fixed },
    day: { type: 'date', default: '2024-02-29', ...fixed },
    moment: { type: 'datetime', default: '2024-02-29T12:00:00.000Z', ...fixed },
    facts: { type: 'json', default: { a: [1, { b: null }] }, ...fixed },
    nothing: { type: 'string', ...fixed },
    box: { type: 'component', component: 'shop.part', ...fixed },
    friends: {
      ...{ type: 'relation', relation: 'manyToMany', target: 'api::item.item' },
      ...fixed,
    },
    hidden: { type: 'string', default: 'secret', private: true, ...fixed },
  }
  const item = {
    info: { singularName: 'item', pluralName: 'items', displayName: 'Item' },
    options: { draftAndPublish: true },
    attributes: {
      ...{ title: { type: 'string' }, ...kinds },
      parts: { type: 'component', component: 'shop.part', repeatable: true },
      zone: { type: 'dynamiczone', components: ['shop.part'] },
    },
  }
  const schema = { 'content-types/item.json': item, 'components/shop/part.json': part }
  const parts = { parts: [{ label: 'a' }, { label: 'b' }] }
  const zone = [{ __component: 'shop.part', label: 'c' }]
  const shown = Object.keys(kinds).filter((name) => name !== 'hidden')
  const read = 'populate=*'

  it('is accepted with unchanged values only', async () => {
    const app = await startApp({ schema })
    try {
      const call = async (method: string, path: string, data?: object) => {
        const sent = data === undefined ? {} : { body: { data } }
        const answer = await app.request(method, `/api/items${path}`, { token: app.token, ...sent })
        const { error, data: entry } = answer.body as {
          readonly error?: { readonly message: string; readonly details: unknown }
          readonly data?: Entry
        }
        return { status: answer.status, error, entry: entry ?? {} }
      }
      const made = await call('POST', `?${read}`, { title: 'x', ...parts, zone })
      expect(made.status).to.equal(201)
      expect(made.entry).to.include.keys(...shown)
      const path = `/${String(made.entry['documentId'])}`
      for (const status of ['', '&status=draft']) {
        const { entry } = await call('GET', `${path}?${read}${status}`)
        const answer = await call('PUT', `${path}?${read}${status}`, { ...entry, title: 'y' })
        expect(answer.status, JSON.stringify(answer.error)).to.equal(200)
        expect(timeless(answer.entry)).to.deep.equal({ ...(timeless(entry) as Entry), title: 'y' })
      }
      const other = {
        ...{ text: 'other', price: '12.6', day: 'no day', moment: 5, facts: { a: [1] } },
        ...{ nothing: 'x', box: {}, friends: [made.entry], hidden: 'secret' },
      }
      for (const [key, value] of Object.entries(other)) {
        const { status, error } = await call('PUT', path, { [key]: value })
        expect([status, error?.message], key).to.deep.equal([400, `Invalid key ${key}`])
      }
      const [first, second] = made.entry['parts'] as Entry[]
      const refused = [
        { ...first, rank: second?.['id'] },
        { rank: first?.['rank'] },
        { ...first, id: 999_999 },
      ]
      for (const entry of refused) {
        const { status, error } = await call('PUT', path, { parts: [entry] })
        expect([status, error]).to.deep.equal([
          400,
          {
            ...{ status: 400, name: 'ValidationError' },
            message: 'Invalid key rank at parts.rank',
            details: { key: 'rank', path: 'parts.rank', source: 'body' },
          },
        ])
      }
      const created = await call('POST', '', { title: 'x', text: 'as it is' })
      expect([created.status, created.error?.message]).to.deep.equal([400, 'Invalid key text'])
    } finally {
      await app.stop()
    }
  })

  it('is rejected with changed values even if unknown keys are ignored', async () => {
    const app = await startApp({ schema, settings: { 'api.rest.unknownKeys': 'ignore' } })
    try {
      const write = (method: string, path: string, data: object) =>
        app.request(method, `/api/items${path}?${read}`, { token: app.token, body: { data } })
      const refusal = async (method: string, path: string, data: object) => {
        const { status, headers, body } = await write(method, path, data)
        const { error } = body as { error?: { message: string } }
        return [status, headers.get('quire-ignored'), error?.message]
      }
      expect(await refusal('POST', '', { ...parts, text: 'other' })).to.deep.equal([
        ...[400, null, 'Invalid key text'],
      ])
      const { data } = (await write('POST', '', parts)).body as { data: Entry }
      const path = `/${String(data['documentId'])}`
      expect((await write('PUT', path, data)).status).to.equal(200)
      const [part] = data['parts'] as Entry[]
      const other = { parts: [{ ...part, rank: '1' }], hidden: 'secret' }
      expect(await refusal('PUT', path, other)).to.deep.equal([
        ...[400, null, 'Invalid key rank at parts.rank'],
      ])
    } finally {
      await app.stop()
    }
  })

  it('is accepted for a user', async () => {
    const attributes = { ref: { type: 'integer', default: 7, ...fixed } }
    const app = await startApp({
      schema: {
        ...schema,
        'extensions/users-permissions/content-types/user/schema.json': {
          ...{ kind: 'collectionType', collectionName: 'up_users', attributes },
          info: { singularName: 'user', pluralName: 'users', displayName: 'User' },
        },
      },
    })
    try {
      const options = { token: app.token }
      const roles = await app.request('GET', '/api/users-permissions/roles', options)
      const [role] = (roles.body as { roles: Entry[] }).roles
      const user = { username: 'ada', email: 'ada@example.org', password: 'Passw0rd!' }
      const made = await app.request('POST', '/api/users', {
        ...options,
        body: { ...user, role: role?.['id'] },
      })
      const { id, ref } = made.body as Entry
      expect([made.status, ref]).to.deep.equal([201, 7])
      const put = (body: object) =>
        app.request('PUT', `/api/users/${String(id)}`, { ...options, body })
      const read = await app.request('GET', `/api/users/${String(id)}`, options)
      const answer = await put(read.body as object)
      expect(answer.status, answer.text).to.equal(200)
      expect((await put({ ref: 8 })).status).to.equal(400)
    } finally {
      await app.stop()
    }
  })
})

/** Removes times, because a write of an entry may also change those of its targets. */
function timeless(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(timeless)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => key !== 'updatedAt' && key !== 'publishedAt')
      .map(([key, member]) => [key, timeless(member)]),
  )
}

const without = (entry: Entry, ...keys: readonly string[]): Entry =>
  Object.fromEntries(Object.entries(entry).filter(([key]) => !keys.includes(key)))

async function makeParts(app: TestApp): Promise<ArticleParts> {
  const make = async (path: string, data: object): Promise<string> => {
    const answer = await app.request('POST', `/api${path}`, { token: app.token, body: { data } })
    return (answer.body as { data: { documentId: string } }).data.documentId
  }
  return {
    authors: [await make('/authors', { name: 'A' }), await make('/authors', { name: 'B' })],
    categories: [await make('/categories', { name: 'C' })],
    tags: [await make('/tags', { name: 'red' }), await make('/tags', { name: 'green' })],
    articles: [
      await make('/articles', { title: 'one' }),
      await make('/articles', { title: 'two' }),
    ],
    files: await makeFiles(app),
  }
}

async function makeFiles(app: TestApp): Promise<readonly number[]> {
  const upload = async (name: string): Promise<number> => {
    const form = new FormData()
    form.append('files', new Blob([await drawPicture(name, 4, 4)]), `${name}.png`)
    const answer = await app.request('POST', '/api/upload', { token: app.token, body: form })
    return (answer.body as { id: number }[])[0]?.id ?? 0
  }
  return [await upload('one'), await upload('two')]
}
