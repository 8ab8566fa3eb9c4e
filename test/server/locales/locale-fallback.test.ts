import { expect } from 'chai'
import type { Settings } from '../../../server/settings/settings.js'
import { testDatabaseUri } from '../../support/database.js'
import type { TestApp } from '../../support/test-app.js'
import { startApp } from '../../support/start-app.js'

type Data = Readonly<Record<string, unknown>>
type Shown = Data & Readonly<{ documentId: string }>
type Locale = Readonly<{ id: number; code: string; fallback?: readonly string[] }>

const localized = { pluginOptions: { i18n: { localized: true } } }
const type = (name: string, attributes: Data, more: Data = localized): Data => ({
  ...{ kind: 'collectionType', collectionName: `${name}s`, options: { draftAndPublish: true } },
  info: { singularName: name, pluralName: `${name}s`, displayName: name },
  ...more,
  attributes,
})
const relation = (kind: string, target: string, more: Data = {}): Data => ({
  ...{ type: 'relation', relation: kind, target: `api::${target}.${target}` },
  ...more,
})
const text = { type: 'string', ...localized }

const schema = {
  'content-types/page.json': type('page', {
    title: text,
    rank: { type: 'integer', ...localized },
    tags: relation('manyToMany', 'tag', { inversedBy: 'pages' }),
    list: relation('manyToOne', 'list'),
  }),
  'content-types/tag.json': type('tag', {
    name: text,
    pages: relation('manyToMany', 'page', { mappedBy: 'tags' }),
  }),
  'content-types/list.json': type(
    'list',
    { name: { type: 'string' }, tag: relation('manyToOne', 'tag') },
    {},
  ),
  'content-types/home.json': {
    ...type('home', { title: text }),
    ...{
      kind: 'singleType',
      info: { singularName: 'home', pluralName: 'homes', displayName: 'home' },
    },
  },
}

describe('locale fallback', function () {
  this.timeout(60_000)
  let app: TestApp
  let other: TestApp
  let ids: Readonly<Record<string, number>> = {}
  const pages: Record<string, string> = {}

  const admin = async (method: string, path: string, body?: object, at = app) => {
    const sent = body === undefined ? {} : { body }
    const answer = await at.request(method, `/i18n/locales${path}`, { token: at.adminJwt, ...sent })
    return answer as Readonly<{ status: number; body: unknown }>
  }
  const ask = async (path: string, at = app) => {
    const { status, body } = await at.request('GET', `/api/${path}`, { token: at.token })
    return { status, body: body as { data: unknown; meta: { pagination: { total: number } } } }
  }
  const write = async (method: string, path: string, data: Data): Promise<Shown> => {
    const { status, body } = await app.request(method, `/api/${path}`, {
      ...{ token: app.token, body: { data } },
    })
    expect(status, JSON.stringify(body)).to.be.oneOf([200, 201])
    return (body as { data: Shown }).data
  }
  const brief = (entry: unknown) => {
    const { title, name, locale } = entry as Data
    return `${String(title ?? name)} ${String(locale)}`
  }
  /** Returns the entries of a list in short, and the total. */
  const list = async (path: string, at = app) => {
    const { status, body } = await ask(path, at)
    expect(status, JSON.stringify(body)).to.equal(200)
    const data = body.data as readonly Data[]
    return { shown: data.map(brief), total: body.meta.pagination.total }
  }
  const all = (...shown: readonly string[]) => ({ shown, total: shown.length })
  const message = ({ body }: Readonly<{ body: unknown }>) =>
    (body as { error: { message: string; details: { errors?: unknown } } }).error.message

  before(async () => {
    const databaseUri = await testDatabaseUri()
    app = await startApp({ databaseUri, schema })
    const codes = ['fr', 'de', 'it']
    for (const code of codes) await admin('POST', '', { code, name: code, isDefault: false })
    const locales = (await admin('GET', '')).body as readonly Locale[]
    ids = Object.fromEntries(locales.map(({ code, id }) => [code, id]))
    expect((await admin('PUT', `/${ids['fr']}`, { fallback: ['de', 'en'] })).status).to.equal(200)
    other = await startApp({ databaseUri, schema })

    const make = async (title: string, rank: number, more: Data = {}) => {
      const [first = '', ...rest] = title.split('+')
      const data = (code: string) => ({ title: `${title}.${code}`, rank, ...more })
      const { documentId } = await write('POST', `pages?locale=${first}`, data(first))
      for (const code of rest) await write('PUT', `pages/${documentId}?locale=${code}`, data(code))
      pages[title] = documentId
    }
    const tag = (await write('POST', 'tags?locale=de', { name: 'T.de' })).documentId
    await write('PUT', `tags/${tag}?locale=en`, { name: 'T.en' })
    const frame = (await write('POST', 'lists', { name: 'L', tag })).documentId
    await make('en', 5)
    await make('en+de', 4, { tags: [tag], list: frame })
    await make('de', 3)
    await make('en+fr', 2)
    await make('it', 1)
    await write('PUT', `pages/${pages['en+fr']}?locale=fr`, { title: 'en+fr.fr', rank: 9 })
  })
  after(async () => {
    await other.stop()
    await app.quire.services.db.dropDatabase()
    await app.stop()
  })

  const fallingBack = 'locale=fr&fallback=true'

  it('shows each entry in the first locale it has a version in, and names that locale', async () => {
    const shown = ['en.en en', 'en+de.de de', 'de.de de', 'en+fr.fr fr']
    expect(await list(`pages?${fallingBack}`)).to.deep.equal(all(...shown))
    expect(await list('pages?locale=fr')).to.deep.equal(all('en+fr.fr fr'))
    expect(await list('pages?locale=fr&fallback=false')).to.deep.equal(all('en+fr.fr fr'))
    expect(await list('pages?locale=it&fallback=true')).to.deep.equal(all('it.it it'))
    const one = async (title: string, query: string) => {
      const { status, body } = await ask(`pages/${pages[title]}?${query}`)
      return status === 200 ? brief(body.data) : status
    }
    expect(await one('en', fallingBack)).to.equal('en.en en')
    expect(await one('en+de', fallingBack)).to.equal('en+de.de de')
    expect(await one('en', 'locale=fr')).to.equal(404)
    expect(await one('it', fallingBack)).to.equal(404)
    expect(await one('en+de', `${fallingBack}&filters[title]=en%2Bde.en`)).to.equal(404)
    expect(await one('en+de', `${fallingBack}&filters[title]=en%2Bde.de`)).to.equal('en+de.de de')
  })

  it('applies to filters, sort, search, totals and pagination', async () => {
    const found = (query: string) => list(`pages?${fallingBack}&${query}`)
    expect(await found('filters[title]=en%2Bde.en')).to.deep.equal(all())
    expect(await found('filters[locale]=en')).to.deep.equal(all('en.en en'))
    expect(await found('filters[rank][$gt]=3&sort=rank:desc')).to.deep.equal(
      all('en+fr.fr fr', 'en.en en', 'en+de.de de'),
    )
    expect(await found('_q=de.de&sort=title')).to.deep.equal(all('de.de de', 'en+de.de de'))
    const page = (number: number) =>
      found(`sort=rank&pagination[page]=${number}&pagination[pageSize]=3`)
    expect(await page(1)).to.deep.equal({
      ...{ shown: ['de.de de', 'en+de.de de', 'en.en en'], total: 4 },
    })
    expect(await page(2)).to.deep.equal({ shown: ['en+fr.fr fr'], total: 4 })
    const { body } = await ask(`pages/aggregate?${fallingBack}&groupBy=locale&count=*&sort=locale`)
    expect(body.data).to.deep.equal([
      { group: { locale: 'de' }, count: 2 },
      { group: { locale: 'en' }, count: 1 },
      { group: { locale: 'fr' }, count: 1 },
    ])
  })

  it('applies to relation targets, from entries with and without locales', async () => {
    const page = (query: string) => ask(`pages/${pages['en+de']}?${query}&populate[tags]=true`)
    const tags = async (query: string) =>
      ((await page(query)).body.data as { tags: readonly Data[] }).tags.map(brief)
    expect(await tags(fallingBack)).to.deep.equal(['T.de de'])
    expect(await tags('')).to.deep.equal(['T.en en'])
    const lists = async (query: string) =>
      ((await ask(`lists?populate=tag&${query}`)).body.data as readonly { tag: Data }[]).map(
        ({ tag }) => brief(tag),
      )
    expect(await lists(fallingBack)).to.deep.equal(['T.de de'])
    expect(await lists('locale=fr')).to.deep.equal(['T.en en'])
    expect(await list(`pages?${fallingBack}&filters[tags][name]=T.de`)).to.deep.equal(
      all('en+de.de de'),
    )
    expect(await list(`pages?${fallingBack}&filters[tags][name]=T.en`)).to.deep.equal(all())
    expect(await list(`pages?${fallingBack}&filters[list][tag][name]=T.de`)).to.deep.equal(
      all('en+de.de de'),
    )
    expect(await list(`lists?${fallingBack}&filters[tag][name]=T.de`)).to.deep.equal(
      all('L undefined'),
    )
    const inverse = await ask(`tags?${fallingBack}&populate[pages][sort]=title`)
    const [tag] = inverse.body.data as readonly { pages: { data: readonly Data[] } }[]
    expect(tag?.pages.data.map(brief)).to.deep.equal(['en+de.de de'])
  })

  it('applies to versions of the requested status', async () => {
    await write('PUT', `pages/${pages['en']}?locale=fr&status=draft`, { title: 'ébauche', rank: 7 })
    const titles = async (query: string) => (await list(`pages?${fallingBack}${query}`)).shown
    expect(await titles(''))
      .to.include('en.en en')
      .and.not.include('ébauche fr')
    expect(await titles('&status=draft'))
      .to.include('ébauche fr')
      .and.not.include('en.en en')
    const never = 'status=draft&publicationFilter=never-published'
    expect(await list(`pages?${fallingBack}&${never}`)).to.deep.equal(all('ébauche fr'))
    await app.request('DELETE', `/api/pages/${pages['en']}?locale=fr`, { token: app.token })
  })

  it('applies to single types', async () => {
    await write('PUT', 'home?locale=de', { title: 'Heim' })
    expect(brief((await ask(`home?${fallingBack}`)).body.data)).to.equal('Heim de')
    expect((await ask('home?locale=fr')).status).to.equal(404)
    await write('PUT', 'home?locale=fr', { title: 'Maison' })
    expect(brief((await ask(`home?${fallingBack}`)).body.data)).to.equal('Maison fr')
  })

  it('does not affect the locale that a write changes', async () => {
    const path = `pages/${pages['de']}?${fallingBack}`
    expect(brief(await write('PUT', path, { title: 'de.fr', rank: 0 }))).to.equal('de.fr fr')
    expect(brief((await ask(path)).body.data)).to.equal('de.fr fr')
    await app.request('DELETE', `/api/pages/${pages['de']}?locale=fr`, { token: app.token })
    expect(brief((await ask(path)).body.data)).to.equal('de.de de')
  })

  it('is rejected for several locales, and for values other than true and false', async () => {
    for (const query of ['locale=*&fallback=true', 'locale[]=fr&locale[]=de&fallback=true']) {
      const answer = await ask(`pages?${query}`)
      expect(answer.status).to.equal(400)
      expect(message(answer)).to.equal(
        "Invalid parameter at 'fallback'. Only a request for one locale can fall back",
      )
      expect(answer.body).to.have.nested.property('error.details.expected', 'one locale')
    }
    const answer = await ask('pages?locale=fr&fallback=yes')
    expect(answer.status).to.equal(400)
    expect(message(answer)).to.equal("Invalid parameter at 'fallback'. Expected 'true' or 'false'")
    expect(answer.body)
      .to.have.nested.property('error.details')
      .that.includes({ param: 'fallback', expected: "'true' or 'false'", received: 'yes' })
  })

  it('returns 400 for a chain that leads to itself or to an unknown locale', async () => {
    const refused = async (code: string, fallback: unknown) => {
      const answer = await admin('PUT', `/${ids[code]}`, { fallback })
      expect(answer.status).to.equal(400)
      return message(answer)
    }
    expect(await refused('fr', ['fr'])).to.equal('The locale "fr" cannot fall back to itself')
    expect(await refused('de', ['it', 'fr'])).to.equal(
      'The locale "de" cannot fall back to itself through "fr"',
    )
    expect((await admin('PUT', `/${ids['it']}`, { fallback: ['fr'] })).status).to.equal(200)
    expect(await refused('en', ['it'])).to.equal(
      'The locale "en" cannot fall back to itself through "it"',
    )
    expect(await refused('de', ['xx'])).to.equal('The locale "xx" is not configured')
    for (const wrong of ['fr', [1, null], null, { 0: 'fr' }]) await refused('de', wrong)
    const body = { code: 'es', name: 'es', isDefault: false, fallback: ['xx'] }
    expect((await admin('POST', '', body)).status).to.equal(400)
    const shown = (await admin('GET', '')).body as readonly Locale[]
    expect(shown.map(({ code, fallback }) => [code, fallback])).to.deep.equal([
      ...[
        ['en', undefined],
        ['fr', ['de', 'en']],
        ['de', undefined],
        ['it', ['fr']],
      ],
    ])
    // The first fallback is `fr`, then come the fallbacks of `fr`.
    expect((await list('pages?locale=it&fallback=true&sort=title')).shown).to.deep.equal([
      ...['de.de de', 'en+de.de de', 'en+fr.fr fr', 'en.en en', 'it.it it'],
    ])
    await admin('PUT', `/${ids['it']}`, { fallback: [] })
  })

  it('takes effect on every instance after a change', async () => {
    const read = (at: TestApp) => list(`pages?${fallingBack}&sort=title`, at)
    const [before, elsewhere] = [await read(app), await read(other)]
    expect(elsewhere).to.deep.equal(before)
    await admin('PUT', `/${ids['fr']}`, { fallback: ['en', 'de'] })
    const now = all('de.de de', 'en+de.en en', 'en+fr.fr fr', 'en.en en')
    expect(await read(app)).to.deep.equal(now)
    while (other.quire.services.locales().chains.get('fr')?.[1] !== 'en')
      await new Promise((resolve) => setTimeout(resolve, 20))
    expect(await read(other)).to.deep.equal(now)
    await admin('PUT', `/${ids['fr']}`, { fallback: ['de', 'en'] })
    expect(await read(app)).to.deep.equal(before)
  })

  it('is part of the configuration, including the order of the locales', async () => {
    const configure = (method: string, body?: object) =>
      app.request(method, '/admin/configuration', {
        ...{ token: app.adminJwt, ...(body === undefined ? {} : { body }) },
      })
    const stored = async () =>
      ((await configure('GET')).body as { data: { locales: Readonly<Record<string, Data>> } }).data
        .locales
    const locales = await stored()
    expect(locales['fr']).to.deep.include({ fallback: ['de', 'en'] })
    expect(locales['de']).not.to.have.property('fallback')
    const put = async (changed: Readonly<Record<string, Data>>) =>
      (await configure('PUT', { locales: { ...locales, ...changed } })).status
    expect(await put({ fr: { ...locales['fr'], fallback: ['en', 'de'] } })).to.equal(200)
    expect((await stored())['fr']).to.deep.include({ fallback: ['en', 'de'] })
    expect(await put({ de: { ...locales['de'], fallback: ['fr'] } })).to.equal(400)
    expect(await put({ de: { ...locales['de'], fallback: ['xx'] } })).to.equal(400)
    expect(await put({ de: { ...locales['de'], fallback: [] } })).to.equal(200)
    expect(await stored()).to.deep.equal(locales)
  })

  it('drops a deleted locale from other locales', async () => {
    const made = await admin('POST', '', {
      code: 'nl',
      name: 'nl',
      isDefault: false,
      fallback: ['en'],
    })
    expect(made.status).to.equal(200)
    expect((made.body as Locale).fallback).to.deep.equal(['en'])
    const { id } = made.body as Locale
    await admin('PUT', `/${ids['fr']}`, { fallback: ['nl', 'de', 'en'] })
    expect((await admin('DELETE', `/${id}`)).status).to.equal(200)
    const shown = (await admin('GET', '')).body as readonly Locale[]
    expect(shown.find(({ code }) => code === 'fr')?.fallback).to.deep.equal(['de', 'en'])
    await admin('POST', '', { code: 'nl', name: 'nl', isDefault: false })
    expect(app.quire.services.locales().chains.get('fr')).to.deep.equal(['fr', 'de', 'en'])
  })

  it('does not show relations that the caller may not find', async () => {
    await app.allow('public', ['api::page.page.find'])
    const { body } = await app.request('GET', `/api/pages?${fallingBack}&populate=*`)
    const [first] = (body as { data: readonly Data[] }).data
    expect(first).to.include({ title: 'en.en' }).and.not.have.any.keys('tags', 'list')
    const drafts = await app.request('GET', `/api/pages?${fallingBack}&status=draft`)
    expect(drafts.status).to.equal(403)
  })

  it('applies by default with api.rest.localeFallback', async () => {
    const settings: Partial<Settings> = { 'api.rest.localeFallback': true }
    const databaseUri = await testDatabaseUri()
    const own = await startApp({ databaseUri, schema, settings })
    try {
      const put = async (path: string, body: object) =>
        own.request('PUT', path, { token: own.adminJwt, body })
      const made = await own.request('POST', '/i18n/locales', {
        ...{ token: own.adminJwt, body: { code: 'fr', name: 'fr', isDefault: false } },
      })
      await put(`/i18n/locales/${(made.body as Locale).id}`, { fallback: ['en'] })
      await own.request('POST', '/api/pages', { token: own.token, body: { data: { title: 'a' } } })
      const shown = (query: string) => list(`pages?${query}`, own)
      expect(await shown('locale=fr')).to.deep.equal(all('a en'))
      expect(await shown('locale=fr&fallback=false')).to.deep.equal(all())
      expect(await shown('locale=*')).to.deep.equal(all('a en'))
      expect(await shown('filters[locale]=fr')).to.deep.equal(all())
      // An export contains only what is stored in the locale itself, because an import writes to that locale.
      const table = await own.request(
        'GET',
        '/admin/content/api::page.page/export?format=json&locale=fr',
        { token: own.adminJwt },
      )
      expect(table).to.deep.include({ status: 200, body: [] })
    } finally {
      await own.quire.services.db.dropDatabase()
      await own.stop()
    }
  })
})
