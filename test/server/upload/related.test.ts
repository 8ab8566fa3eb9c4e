import { expect } from 'chai'
import { drawPicture } from '../../support/draw-picture.js'
import type { Settings } from '../../../server/settings/settings.js'
import { startApp } from '../../support/start-app.js'
import type { TestApp } from '../../support/test-app.js'

type Entry = Readonly<Record<string, unknown>> & Readonly<{ id: number; documentId: string }>
type Explained = Readonly<{
  pipelines: readonly Readonly<{ purpose: string; collection: string; pipeline: unknown }>[]
}>

const png = await drawPicture('test', 40, 30)
const text = { type: 'string' }
const media = { type: 'media', multiple: false }
const localized = { i18n: { localized: true } }

const type = (name: string, attributes: object, more: object = {}): object => ({
  kind: 'collectionType',
  collectionName: `${name}s`,
  info: { singularName: name, pluralName: `${name}s`, displayName: name },
  attributes,
  ...more,
})
const component = (name: string, attributes: object): object => ({
  collectionName: `components_shared_${name}`,
  info: { displayName: name },
  attributes,
})

const schema = {
  'content-types/article.json': type(
    'article',
    {
      title: { ...text, pluginOptions: localized },
      note: { ...text, private: true },
      cover: { ...media, pluginOptions: localized },
      gallery: { type: 'media', multiple: true },
      proof: { ...media, private: true },
      seo: { type: 'component', component: 'shared.seo' },
      sections: { type: 'dynamiczone', components: ['shared.hero', 'shared.cards'] },
      author: { type: 'relation', relation: 'manyToOne', target: 'api::author.author' },
    },
    { options: { draftAndPublish: true }, pluginOptions: localized },
  ),
  'content-types/author.json': type('author', { name: text, portrait: media }),
  'content-types/topic.json': type('topic', { name: text }),
  'components/shared/seo.json': component('seos', { image: media }),
  'components/shared/hero.json': component('heroes', {
    image: media,
    secret: { ...media, private: true },
  }),
  'components/shared/card.json': component('card', { images: { type: 'media', multiple: true } }),
  'components/shared/cards.json': component('cards', {
    image: text,
    cards: { type: 'component', component: 'shared.card', repeatable: true },
  }),
}

const article = 'api::article.article'
const author = 'api::author.author'

async function startMedia(settings: Partial<Settings> = {}) {
  const app: TestApp = await startApp({ schema, settings })
  const ask = async (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, data?: object) => {
    const body = data === undefined ? {} : { body: { data } }
    return app.request(method, path, { token: app.token, ...body })
  }
  const make = async (path: string, data: object): Promise<Entry> => {
    const { status, text, body } = await ask('POST', `/api/${path}`, data)
    expect(status, text).to.equal(201)
    return (body as { data: Entry }).data
  }
  const upload = async (name: string): Promise<Entry> => {
    const body = new FormData()
    body.append('files', new Blob([png], { type: 'image/png' }), name)
    const answer = await app.request('POST', '/api/upload', { token: app.token, body })
    expect(answer.status, answer.text).to.equal(201)
    return (answer.body as [Entry])[0]
  }
  /** Reads a file. Without a token, the caller has the permissions of the public role. */
  const file = async (
    { id }: Entry,
    query: string,
    as: { token?: string } = app,
  ): Promise<Entry> => {
    const token = as.token === undefined ? {} : { token: as.token }
    const { status, text, body } = await app.request(
      'GET',
      `/api/upload/files/${id}?${query}`,
      token,
    )
    expect(status, text).to.equal(200)
    return body as Entry
  }
  const namesOf = (shown: unknown): readonly string[] =>
    (shown as readonly Entry[]).map(
      (it) => `${String(it['__type']).split('.').at(-1)} ${String(it['title'] ?? it['name'])}`,
    )
  const users = async (of: Entry, query = 'populate=related', as?: { token?: string }) =>
    namesOf((await file(of, query, as))['related'])
  return { app, ask, make, upload, file, namesOf, users }
}

type Media = Awaited<ReturnType<typeof startMedia>>

describe('related of a file', () => {
  let site: Media
  let logo: Entry
  let other: Entry
  let rain: Entry
  before(async () => {
    site = await startMedia({ 'api.rest.wrapFilteredRelations': true })
    const { make, upload } = site
    const locales = {
      token: site.app.adminJwt,
      body: { name: 'French', code: 'fr', isDefault: false },
    }
    expect((await site.app.request('POST', '/i18n/locales', locales)).status).to.equal(200)
    ;[logo, other] = [await upload('logo.png'), await upload('other.png')]
    const ana = await make('authors', { name: 'Ana', portrait: logo.id })
    rain = await make('articles', {
      ...{ title: 'Rain', note: 'hidden', cover: logo.id, gallery: [other.id, logo.id] },
      author: ana.documentId,
    })
    await make('articles', { title: 'Seo', seo: { image: logo.id } })
    const hero = { __component: 'shared.hero', image: other.id }
    const cards = {
      __component: 'shared.cards',
      image: 'text',
      cards: [{ images: [other.id] }, { images: [] }, { images: [other.id, logo.id] }],
    }
    await make('articles', { title: 'Zone', sections: [hero, cards] })
    await make('articles', {
      ...{ title: 'Private', proof: logo.id },
      sections: [{ __component: 'shared.hero', secret: logo.id }],
    })
    await make('articles?status=draft', { title: 'Draft', cover: logo.id })
    await make('articles?locale=fr', { title: 'Pluie', cover: logo.id })
    await make('topics', { name: 'None' })
  })
  after(() => site.app.stop())

  it('lists each entry that uses the file once, ordered by type and id', async () => {
    const all = ['article Rain', 'article Seo', 'article Zone', 'author Ana']
    for (const query of ['populate=related', 'populate=*', 'populate[related]=true'])
      expect(await site.users(logo, query)).to.deep.equal(all)
    expect(await site.users(other)).to.deep.equal(['article Rain', 'article Zone'])
    expect(await site.file(logo, '')).not.to.have.property('related')
    const lonely = await site.upload('lonely.png')
    expect((await site.file(lonely, 'populate=related'))['related']).to.deep.equal([])
  })

  it('contains the public attributes of an entry, and its type last', async () => {
    const [shown] = (await site.file(logo, 'populate=related'))['related'] as Entry[]
    expect(Object.keys(shown ?? {})).to.deep.equal([
      ...['id', 'documentId', 'title', 'createdAt', 'updatedAt', 'publishedAt', 'locale', '__type'],
    ])
    expect(shown?.id).to.equal(rain.id)
  })

  it('can be populated in lists of files and in the media of entries', async () => {
    const { body } = await site.ask('GET', '/api/upload/files?sort=id&populate[related]=true')
    const [first, second] = body as Entry[]
    expect(site.namesOf(first?.['related'])).to.have.length(4)
    expect(site.namesOf(second?.['related'])).to.deep.equal(['article Rain', 'article Zone'])
    const path = `/api/articles/${rain.documentId}`
    for (const query of [
      ...['populate[cover][populate]=related', 'populate=cover.related'],
      ...['populate[cover][populate][related]=true', 'populate[cover][populate]=*'],
    ]) {
      const answer = await site.ask('GET', `${path}?${query}`)
      const { cover } = (answer.body as { data: { cover: Entry } }).data
      expect(site.namesOf(cover['related']), query).to.have.length(4)
    }
    const onward = await site.ask('GET', `${path}?populate[gallery][populate]=related`)
    const { gallery } = (onward.body as { data: { gallery: readonly Entry[] } }).data
    expect(gallery.map(({ related }) => site.namesOf(related).length)).to.deep.equal([2, 4])
  })

  it('accepts a fragment per type with sort, fields, filters and populate', async () => {
    const on = `populate[related][on][${article}]`
    expect(await site.users(logo, `${on}=true`)).to.deep.equal([
      ...['article Rain', 'article Seo', 'article Zone'],
    ])
    const shown = await site.file(logo, `${on}[sort]=title:desc&${on}[fields]=title`)
    const sorted = (shown['related'] as { data: Entry[] }).data
    expect(sorted.map(({ title }) => title)).to.deep.equal(['Zone', 'Seo', 'Rain'])
    expect(Object.keys(sorted[0] ?? {})).to.deep.equal(['id', 'documentId', 'title', '__type'])
    const filtered = await site.file(logo, `${on}[filters][title][$contains]=Zo`)
    expect(site.namesOf((filtered['related'] as { data: Entry[] }).data)).to.deep.equal([
      'article Zone',
    ])
    const deep = await site.file(logo, `${on}[populate]=author`)
    expect((deep['related'] as [Entry])[0]['author']).to.include({ name: 'Ana' })
    expect(await site.users(logo, 'populate[related][on][api::topic.topic]=true')).to.deep.equal([])
    const counted = await site.file(logo, 'populate[related][count]=true')
    expect(counted['related']).to.deep.equal({ count: 4 })
  })

  it('rejects unsupported parameters by name', async () => {
    const refusal = async (query: string): Promise<string> => {
      const { status, body } = await site.ask('GET', `/api/upload/files?${query}`)
      expect(status, query).to.equal(400)
      return (body as { error: { message: string } }).error.message
    }
    expect(await refusal('filters[related][id]=1')).to.equal('Invalid key related')
    expect(await refusal('sort=related')).to.equal('Invalid key related')
    expect(await refusal('fields=related')).to.equal('Invalid key related')
    expect(await refusal('populate[related]=*')).to.equal('Invalid key * at related')
    expect(await refusal('populate[related][on][api::nope.nope]=true')).to.equal(
      'Invalid key api::nope.nope at related',
    )
    expect(await refusal('populate[related][on][shared.seo]=true')).to.equal(
      'Invalid key shared.seo at related',
    )
    expect(await refusal('populate[related][fields]=title')).to.equal(
      'Invalid nested populate for file.related (plugin::upload.file). Expected a fragment ("on") or "count" but found {"fields":"title"}',
    )
    expect(await refusal(`populate[related][on][${article}][fields]=note`)).to.equal(
      'Invalid key note',
    )
  })

  it('uses the status and the locale of the request', async () => {
    const draft = `/api/articles/${rain.documentId}?status=draft&populate[cover][populate]=related`
    const { body } = await site.ask('GET', draft)
    const { cover } = (body as { data: { cover: Entry } }).data
    expect(site.namesOf(cover['related'])).to.deep.equal([
      ...['article Rain', 'article Seo', 'article Zone', 'article Draft', 'author Ana'],
    ])
    const dates = (cover['related'] as Entry[]).map(({ publishedAt }) => publishedAt)
    expect(dates.slice(0, 4)).to.deep.equal([null, null, null, null])
    expect(await site.users(logo, 'status=draft&populate=related')).to.include('article Draft')
    expect(await site.users(logo, 'locale=fr&populate=related')).to.deep.equal([
      ...['article Rain', 'article Seo', 'article Zone', 'article Pluie', 'author Ana'],
    ])
  })
})

describe('related of a file for callers with limited permissions', () => {
  let site: Media
  let logo: Entry
  before(async () => {
    site = await startMedia()
    logo = await site.upload('logo.png')
    await site.make('authors', { name: 'Ana', portrait: logo.id })
    await site.make('articles', { title: 'Rain', cover: logo.id })
    await site.make('articles?status=draft', { title: 'Draft', cover: logo.id })
    await site.app.allow('public', ['plugin::upload.content-api.findOne'])
  })
  after(() => site.app.stop())

  it('contains only types that the caller may find, and is omitted if there are none', async () => {
    expect(await site.file(logo, 'populate=related', {})).not.to.have.property('related')
    const on = `populate[related][on][${article}]`
    expect(await site.file(logo, `${on}=true`, {})).not.to.have.property('related')
    await site.app.allow('public', [`${author}.find`])
    expect(await site.users(logo, 'populate=related', {})).to.deep.equal(['author Ana'])
    expect(await site.users(logo, `${on}=true`, {})).to.deep.equal([])
    await site.app.allow('public', [`${article}.find`])
    expect(await site.users(logo, 'populate=*', {})).to.deep.equal(['article Rain', 'author Ana'])
  })

  it('contains drafts only for callers who may find drafts', async () => {
    const query = 'status=draft&populate=related'
    const path = `/api/upload/files/${logo.id}?${query}`
    const refused = await site.app.request('GET', path, {})
    expect(refused.status).to.equal(403)
    await site.app.allow('public', ['plugin::upload.file.findDrafts'])
    expect((await site.app.request('GET', path, {})).status).to.equal(200)
    expect(await site.users(logo, query, {})).to.deep.equal(['author Ana'])
    await site.app.allow('public', [`${article}.findDrafts`])
    expect(await site.users(logo, query, {})).to.include('article Draft')
  })
})

describe('related of a file with many uses', () => {
  let site: Media
  let logo: Entry
  before(async () => {
    site = await startMedia({ 'api.rest.maxPopulatedEntries': 5 })
    logo = await site.upload('logo.png')
    for (let round = 0; round < 5; round += 1)
      await site.make('articles', { title: `${round}`, cover: logo.id })
  })
  after(() => site.app.stop())

  const explained = async (query: string): Promise<Explained['pipelines']> => {
    const { body, text } = await site.ask('GET', `/api/articles?${query}&explain=execution`)
    expect(body, text).to.have.property('data')
    const { pipelines } = (body as { data: Explained }).data
    return pipelines.filter(({ purpose }) => purpose.includes('related'))
  }

  it('runs one command per type, whatever the number of files and entries', async () => {
    for (const size of [1, 2]) {
      const query = `pagination[pageSize]=${size}&populate[gallery][populate]=related&populate[cover][populate]=related`
      const pipelines = await explained(query)
      expect(pipelines.map(({ collection }) => collection).sort()).to.deep.equal([
        'articles',
        'authors',
      ])
    }
  })

  it('is rejected above api.rest.maxPopulatedEntries, which the error names', async () => {
    expect(await site.users(logo)).to.have.length(5)
    await site.make('articles', { title: 'One more', cover: logo.id })
    const answer = await site.ask('GET', `/api/upload/files/${logo.id}?populate=related`)
    expect(answer.status).to.equal(400)
    const { message, details } = (
      answer.body as { error: { message: string; details: Record<string, unknown> } }
    ).error
    expect(message).to.include('api.rest.maxPopulatedEntries')
    expect(details).to.include({ relation: 'related', limit: 5 })
  })
})

describe('related of a file with wrong _refs in an entry', () => {
  let site: Media
  before(async () => {
    site = await startMedia()
  })
  after(() => site.app.stop())

  it('uses the actual references', async () => {
    const [logo, other] = [await site.upload('logo.png'), await site.upload('other.png')]
    const { documentId } = await site.make('articles', { title: 'Rain', cover: logo.id })
    await site.make('articles', { title: 'Sun', seo: { image: other.id } })
    const articles = site.app.quire.services.db.collection('articles')
    const texts = [`cover:${logo.documentId}`, `cover:${other.documentId}`]
    await articles.updateOne({ documentId }, { $set: { _refs: texts } })
    const { body } = await site.ask('GET', '/api/upload/files?sort=id&populate=related')
    const shown = (body as Entry[]).map(({ related }) => site.namesOf(related))
    expect(shown).to.deep.equal([['article Rain'], ['article Sun']])
  })
})
