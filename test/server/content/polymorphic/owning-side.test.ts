import { expect } from 'chai'
import type { Notes, Shown } from './start-notes.js'
import { article, author, namesIn, note, startNotes } from './start-notes.js'

describe('owning side of a polymorphic relation', () => {
  let notes: Notes
  let rain: Shown
  let sun: Shown
  let ana: Shown
  let ben: Shown
  before(async () => {
    notes = await startNotes()
    ana = await notes.make('authors', { name: 'Ana', secret: 's' })
    ben = await notes.make('authors', { name: 'Ben' })
    rain = await notes.make('articles', { title: 'Rain', author: ana.documentId })
    sun = await notes.make('articles', { title: 'Sun' })
  })
  after(() => notes.app.stop())

  const to = (type: string, { documentId }: Shown) => ({ __type: type, documentId })
  const related = async (path: string, populate = 'populate=related'): Promise<readonly string[]> =>
    namesIn((await notes.get(`${path}?${populate}`))['related'])
  const withRelated = async (): Promise<string> => {
    const items = [to(article, rain), to(author, ana), to(article, sun)]
    return `notes/${(await notes.make('notes', { text: 'n', related: items })).documentId}`
  }

  it('shows entries of every type with their type, in list order', async () => {
    const path = await withRelated()
    const shown = await notes.get(`${path}?populate=related,about`)
    const { createdAt, updatedAt, publishedAt, ...rest } = shown
    expect([createdAt, updatedAt, publishedAt].every((time) => typeof time === 'string')).to.equal(
      true,
    )
    const articleOf = (entry: Shown, title: string) => ({
      ...{ id: entry.id, documentId: entry.documentId, title },
      createdAt: entry['createdAt'],
      updatedAt: entry['updatedAt'],
      publishedAt: entry['publishedAt'],
      ...{ locale: 'en', __type: article },
    })
    expect(rest).to.deep.equal({
      ...{ id: shown.id, documentId: shown.documentId, text: 'n' },
      related: [
        articleOf(rain, 'Rain'),
        {
          ...{ id: ana.id, documentId: ana.documentId, name: 'Ana' },
          createdAt: ana['createdAt'],
          updatedAt: ana['updatedAt'],
          publishedAt: ana['publishedAt'],
          __type: author,
        },
        articleOf(sun, 'Sun'),
      ],
      about: null,
    })
  })

  it('accepts ids, documentIds, lists, connect, disconnect, set and positions', async () => {
    const path = await withRelated()
    const put = async (value: unknown): Promise<readonly string[]> => {
      await notes.put(path, { related: value })
      return related(path)
    }
    expect(await put({ connect: [to(author, ben)] })).to.deep.equal([
      ...['article Rain', 'author Ana', 'article Sun', 'author Ben'],
    ])
    expect(await put({ disconnect: [{ __type: author, id: ana.id }] })).to.deep.equal([
      ...['article Rain', 'article Sun', 'author Ben'],
    ])
    const before = { before: to(article, sun) }
    expect(await put({ connect: [{ ...to(author, ana), position: before }] })).to.deep.equal([
      ...['article Rain', 'author Ana', 'article Sun', 'author Ben'],
    ])
    // `after` has no type, so the neighbour has the type of the connected entry.
    const after = { after: { documentId: ana.documentId } }
    expect(
      await put({
        connect: [
          { ...to(author, ben), position: after },
          { ...to(article, sun), position: { start: true } },
        ],
      }),
    ).to.deep.equal(['article Sun', 'article Rain', 'author Ana', 'author Ben'])
    // `beside` has the type next to the id of the neighbour, as Strapi sends it.
    const beside = { before: rain.documentId, __type: article }
    expect(await put({ connect: [{ ...to(author, ben), position: beside }] })).to.deep.equal([
      ...['article Sun', 'author Ben', 'article Rain', 'author Ana'],
    ])
    const strict = { options: { strict: true } }
    expect(
      await put({ connect: [{ ...to(author, ben), position: 'end' }], ...strict }),
    ).to.deep.equal(['article Sun', 'article Rain', 'author Ana', 'author Ben'])
    expect(
      await put({ connect: [{ ...to(author, ben), position: beside }], ...strict }),
    ).to.deep.equal(['article Sun', 'author Ben', 'article Rain', 'author Ana'])
    expect(await put({ set: [to(author, ben), to(article, rain)] })).to.deep.equal([
      ...['author Ben', 'article Rain'],
    ])
    expect(await put([to(author, ana), to(author, ana)])).to.deep.equal(['author Ana'])
    expect(await put(to(article, sun))).to.deep.equal(['article Sun'])
    expect(await put([])).to.deep.equal([])
    expect(await put([to(article, sun)])).to.deep.equal(['article Sun'])
    expect(await put(null)).to.deep.equal([])
  })

  it('has one target as morphToOne', async () => {
    const made = await notes.make('notes', { text: 'one', about: to(author, ana) })
    const path = `notes/${made.documentId}`
    const about = async (): Promise<string | undefined> =>
      namesIn([(await notes.get(`${path}?populate=about`))['about'] ?? { __type: 'nothing' }])[0]
    expect(await about()).to.equal('author Ana')
    await notes.put(path, { about: { connect: [to(article, sun)] } })
    expect(await about()).to.equal('article Sun')
    await notes.put(path, { about: { disconnect: [to(author, ana)] } })
    expect(await about()).to.equal('article Sun')
    await notes.put(path, { about: { disconnect: [to(article, sun)] } })
    expect(await about()).to.equal('nothing undefined')
    await notes.put(path, { about: { set: [{ __type: author, id: ben.id }] } })
    expect(await about()).to.equal('author Ben')
    await notes.put(path, { about: null })
    expect(await about()).to.equal('nothing undefined')
  })

  it('accepts values as they were read', async () => {
    const path = await withRelated()
    const { related: read } = await notes.get(`${path}?populate=related`)
    await notes.put(path, { related: (read as readonly unknown[]).toReversed() })
    expect(await related(path)).to.deep.equal(['article Sun', 'author Ana', 'article Rain'])
    const { body } = await notes.app.request('GET', `/api/${path}?populate=related`, {
      token: notes.app.token,
      headers: { 'Strapi-Response-Format': 'v4' },
    })
    const { attributes } = (body as { data: { attributes: { related: { data: unknown[] } } } }).data
    const { data } = attributes.related
    await notes.put(path, { related: { data: data.toReversed() } })
    expect(await related(path)).to.deep.equal(['article Rain', 'author Ana', 'article Sun'])
  })

  it('may refer to its own entry, and to one entry from two attributes', async () => {
    const path = await withRelated()
    const documentId = path.slice('notes/'.length)
    const itself = { __type: note, documentId }
    await notes.put(path, { related: [itself], about: itself })
    expect(await related(path)).to.deep.equal(['note n'])
  })

  it('names a missing or unknown type and suggests a known one', async () => {
    const refused = async (data: object) => notes.refusal('POST', 'notes', data)
    expect(
      await refused({ related: [to(author, ana), { documentId: ana.documentId }] }),
    ).to.deep.equal({
      message: 'related.1.__type must name the content-type of its target',
      details: { path: 'related.1.__type', source: 'body' },
    })
    expect(
      await refused({
        related: { connect: [{ ...to(author, ana), __type: 'api::autor.author' }] },
      }),
    ).to.deep.equal({
      message: 'related.connect.0.__type names no content-type: "api::autor.author"',
      details: { path: 'related.connect.0.__type', source: 'body', suggestion: author },
    })
    for (const data of [
      { about: 'x' },
      { about: 7 },
      { related: ['x'] },
      { about: {}, related: [{ __type: 7 }] },
    ])
      expect((await refused(data)).message).to.match(/__type must name the content-type/)
    for (const uid of ['admin::user', '__proto__', 'plugin::i18n.locale'])
      expect((await refused({ about: { __type: uid, id: 1 } })).message).to.match(
        /names no content-type/,
      )
    expect(await refused({ about: { ...to(author, ana), nope: 1 } })).to.deep.equal({
      message: 'Invalid key nope at about',
      details: { key: 'nope', path: 'about', source: 'body' },
    })
    expect((await refused({ related: { add: [] } })).message).to.equal('Invalid key add at related')
    expect(
      (await refused({ related: { connect: [], options: { strict: 'x' } } })).message,
    ).to.equal('Invalid key strict at related')
  })

  it('rejects missing targets like any relation', async () => {
    const refused = async (data: object) => (await notes.refusal('POST', 'notes', data)).message
    expect(await refused({ about: { __type: author, documentId: 'nobody' } })).to.equal(
      'Document with id "nobody", locale "null" not found',
    )
    expect(await refused({ about: { __type: author, documentId: rain.documentId } })).to.match(
      /not found/,
    )
    expect(await refused({ related: [{ __type: author, id: 99 }] })).to.equal(
      '1 relation(s) of type api::author.author associated with this entity do not exist',
    )
    expect(await refused({ related: [{ __type: author }] })).to.equal('Invalid relations')
    const twice = [
      { ...to(author, ana), position: { start: true } },
      { ...to(author, ana), position: { end: true } },
    ]
    expect(String(await refused({ related: { connect: twice } })).replace(/\d+/, '#')).to.equal(
      'The relation with id # is already connected. You cannot connect the same relation twice.',
    )
    const unknown = { before: sun.documentId, __type: 'api::artcle.artcle' }
    expect(
      await refused({ related: { connect: [{ ...to(author, ana), position: unknown }] } }),
    ).to.equal('related.connect.0.position.__type names no content-type: "api::artcle.artcle"')
    const after = { after: to(article, sun) }
    const connect = [{ ...to(author, ana), position: after }]
    const { message, details } = await notes.refusal('POST', 'notes', { related: { connect } })
    // Replaces record ids in the message. They are those of drafts.
    expect(String(message).replace(/\d+/g, '#')).to.equal(
      'There was a problem connecting relation with id # at position ' +
        `{"after":{"id":#,"__type":"${article}"}}. ` +
        'The relation with id # needs to be connected first.',
    )
    expect(details).to.deep.equal({ path: 'related', source: 'body' })
  })

  it('shows only the types named by fragments', async () => {
    const path = await withRelated()
    const on = (type: string) => `populate[related][on][${type}]`
    expect(await related(path, `${on(article)}=true`)).to.deep.equal([
      ...['article Rain', 'article Sun'],
    ])
    const shown = await notes.get(
      `${path}?${on(article)}[fields]=title&${on(article)}[populate][author][fields]=name&${on(author)}[fields]=id`,
    )
    expect(shown['related']).to.deep.equal([
      {
        ...{ id: rain.id, documentId: rain.documentId, title: 'Rain' },
        author: { id: ana.id, documentId: ana.documentId, name: 'Ana' },
        __type: article,
      },
      { id: ana.id, documentId: ana.documentId, __type: author },
      { id: sun.id, documentId: sun.documentId, title: 'Sun', author: null, __type: article },
    ])
  })

  it('is wrapped in data if a fragment filters or sorts it', async () => {
    const path = await withRelated()
    const on = (type: string) => `populate[related][on][${type}]`
    const wrapped = async (query: string): Promise<readonly string[]> => {
      const { related } = await notes.get(`${path}?${query}`)
      expect(Object.keys(related as object)).to.deep.equal(['data'])
      return namesIn((related as { data: unknown }).data)
    }
    const byTitle = `${on(article)}[sort]=title:desc`
    // The articles are sorted. The authors keep their positions in the list.
    expect(await wrapped(`${byTitle}&${on(author)}=true`)).to.deep.equal([
      ...['article Sun', 'author Ana', 'article Rain'],
    ])
    const rainy = `${on(article)}[filters][title]=Rain`
    expect(await wrapped(`${rainy}&${on(author)}=true`)).to.deep.equal([
      ...['article Rain', 'author Ana'],
    ])
    expect(await wrapped(`${on(article)}[filters][author][name]=Ana`)).to.deep.equal([
      'article Rain',
    ])
  })

  it('populates a name in the types that have it, supports * and can be counted', async () => {
    const path = await withRelated()
    const authors = async (query: string) =>
      ((await notes.get(`${path}?${query}`))['related'] as readonly Shown[]).map(
        ({ author }) => (author as Shown | null | undefined)?.['name'],
      )
    const expected = ['Ana', undefined, undefined]
    expect(await authors('populate=related.author')).to.deep.equal(expected)
    expect(await authors('populate[related][populate]=*')).to.deep.equal(expected)
    const counted = await notes.get(`${path}?populate[related][count]=true`)
    expect(counted['related']).to.deep.equal({ count: 3 })
    const all = await notes.get(`${path}?populate=*`)
    expect(namesIn(all['related'])).to.deep.equal(['article Rain', 'author Ana', 'article Sun'])
  })

  it('is populated in components and dynamic zones', async () => {
    const { documentId } = await notes.make('notes', {
      link: { label: 'l', to: to(author, ana) },
      parts: [
        { __component: 'shared.links', to: [to(article, rain), to(author, ben)] },
        { __component: 'shared.link', to: to(article, sun) },
      ],
    })
    const shown = await notes.get(
      `notes/${documentId}?populate[link][populate]=to` +
        `&populate[parts][on][shared.links][populate]=to&populate[parts][on][shared.link][populate]=to`,
    )
    const { link, parts } = shown as unknown as { link: Shown; parts: readonly Shown[] }
    expect(namesIn([link['to']])).to.deep.equal(['author Ana'])
    expect(parts.map(({ to }) => namesIn([to].flat()))).to.deep.equal([
      ...[['article Rain', 'author Ben'], ['article Sun']],
    ])
  })

  it('has the v4 format of a relation if requested', async () => {
    const path = await withRelated()
    const { body } = await notes.app.request(
      'GET',
      `/api/${path}?fields=text&populate[related][on][${author}][fields]=name`,
      { token: notes.app.token, headers: { 'Strapi-Response-Format': 'v4' } },
    )
    const { attributes } = (body as { data: { attributes: object } }).data
    expect(attributes).to.deep.equal({
      text: 'n',
      related: {
        data: [
          {
            ...{ id: ana.id, documentId: ana.documentId },
            attributes: { name: 'Ana', __type: author },
          },
        ],
      },
    })
  })

  it('rejects unsupported options and unknown names', async () => {
    const refused = async (query: string) => (await notes.refusal('GET', `notes?${query}`)).message
    const on = `populate[related][on][${article}]`
    for (const [query, message] of [
      ['populate[related][fields]=title', /^Invalid nested populate for note.related/],
      ['populate[related][sort]=title', /^Invalid nested populate for note.related/],
      ['populate[related][filters][title]=a', /^Invalid nested populate for note.related/],
      ['populate[related]=*', /^Invalid key \*/],
      ['populate=related.nope', /^Invalid key nope at related/],
      ['populate=related.title', /^Invalid key title at related/],
      [
        'populate[related][on][api::artcle.article]=true',
        /^Invalid key api::artcle.article at related$/,
      ],
      ['populate[related][on][admin::user]=true', /^Invalid key admin::user at related$/],
      [`${on}[filters][nope]=1`, /^Invalid key nope$/],
      [`${on}[populate]=nope`, /^Invalid key nope$/],
      [`${on}[count]=true`, /^Invalid key count at related$/],
      [`${on}[on][${article}]=true`, /^Invalid key on at related$/],
      [`populate[related][on]=${article}`, /^Invalid populate parameter at related/],
      // As in Strapi, filters and sorts cannot use relations to entries of any type.
      ['filters[related][title]=Rain', /^Invalid key related$/],
      ['filters[related]=1', /^Invalid key related$/],
      ['filters[about][$null]=true', /^Invalid key about$/],
      ['filters[link][to][name]=Ana', /^Invalid key to at link.to$/],
      ['sort=related.title', /^Invalid key related$/],
      ['sort=about', /^Invalid key about$/],
      ['fields=related', /^Invalid key related$/],
    ] as const)
      expect(await refused(query), query).to.match(message)
  })
})

describe('polymorphic relation with limited permissions', () => {
  let notes: Notes
  before(async () => {
    notes = await startNotes()
    await notes.app.allow('public', [`${note}.find`, `${note}.findOne`, `${note}.create`])
    await notes.app.allow('public', [`${author}.find`])
  })
  after(() => notes.app.stop())

  it('leaves out entries of types that the caller may not find', async () => {
    const ana = await notes.make('authors', { name: 'Ana' })
    const rain = await notes.make('articles', { title: 'Rain' })
    const items = [
      { __type: article, documentId: rain.documentId },
      { __type: author, documentId: ana.documentId },
    ]
    const made = await notes.make('notes', { text: 'n', related: items, about: items[0] })
    const ask = (query: string) =>
      notes.app.request('GET', `/api/notes/${made.documentId}?${query}`)
    const { body } = await ask('populate=related,about')
    const { data } = body as { data: Shown }
    expect(namesIn(data['related'])).to.deep.equal(['author Ana'])
    expect(data['about']).to.equal(null)
    const fragment = await ask(`populate[related][on][${article}]=true`)
    expect((fragment.body as { data: Shown }).data['related']).to.deep.equal([])
    const count = await ask('populate[related][count]=true')
    expect((count.body as { data: Shown }).data['related']).to.deep.equal({ count: 1 })
    const wrong = await ask(`populate[related][on][api::artcle.article]=true`)
    expect((wrong.body as { error: { details: object } }).error.details).to.not.have.property(
      'suggestion',
    )
    for (const uid of [article, 'api::nothing.nothing']) {
      const refused = await notes.app.request('POST', '/api/notes', {
        body: { data: { about: { __type: uid, documentId: rain.documentId } } },
      })
      expect(refused.status).to.equal(400)
      expect((refused.body as { error: object }).error).to.include({
        message: `about.__type names no content-type: "${uid}"`,
      })
    }
  })
})

describe('polymorphic relation with drafts and locales', () => {
  let notes: Notes
  before(async () => {
    notes = await startNotes()
    const french = { code: 'fr', name: 'French', isDefault: false }
    await notes.app.request('POST', '/i18n/locales', { token: notes.app.adminJwt, body: french })
  })
  after(() => notes.app.stop())

  it('shows the version of each target for the requested status and locale', async () => {
    const draft = await notes.make('articles', { title: 'Draft' }, '?status=draft')
    const both = await notes.make('articles', { title: 'Both' })
    await notes.put(`articles/${both.documentId}?locale=fr`, { title: 'Deux' })
    const items = [draft, both].map(({ documentId }) => ({ __type: article, documentId }))
    const made = await notes.make('notes', { text: 'n', related: items })
    const path = `notes/${made.documentId}?populate=related`
    const names = async (query: string) => namesIn((await notes.get(`${path}${query}`))['related'])
    expect(await names('')).to.deep.equal(['article Both'])
    expect(await names('&status=draft')).to.deep.equal(['article Draft', 'article Both'])
    expect(await names('&locale=fr')).to.deep.equal(['article Deux'])
    await notes.put(`articles/${draft.documentId}`, { title: 'Now' })
    expect(await names('')).to.deep.equal(['article Now', 'article Both'])
    await notes.put(`notes/${made.documentId}?status=draft`, { related: [] })
    expect(await names('')).to.deep.equal(['article Now', 'article Both'])
    expect(await names('&status=draft')).to.deep.equal([])
    await notes.app.request('POST', `/api/notes/${made.documentId}/actions/discard-draft`, {
      token: notes.app.token,
    })
    expect(await names('&status=draft')).to.deep.equal(['article Now', 'article Both'])
  })
})
