import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { seedDemo, type SeedReport } from '../../cli/seed/seed-demo.js'
import { startApp } from '../support/start-app.js'
import type { TestApp } from '../support/test-app.js'
import { demoDocuments } from './demo-content.js'

const schemaDir = fileURLToPath(new URL('../../../schema', import.meta.url))
const admin = { email: 'admin@example.org', password: 'Admin-password-1' }
const articles = demoDocuments('articles')
const published = articles.filter(([first]) => first.status !== 'draft')

type Entry = Readonly<Record<string, unknown>>
type Picture = Readonly<{
  name: string
  alternativeText: string | null
  width: number
  formats: Readonly<Record<string, Readonly<{ url: string }>>> | null
}>
type List = Readonly<{ data: readonly Entry[]; meta: { pagination: { total: number } } }>

describe('seedDemo without the content-types of the demo', () => {
  it('names the missing content-types, and writes nothing', async function () {
    this.timeout(60_000)
    const app = await startApp()
    try {
      const before = await app.request('GET', '/api/i18n/locales', { token: app.token })
      const error = await seedDemo({ base: app.url, admin }).catch((thrown: unknown) => thrown)
      expect(String(error)).to.match(
        /^Error: The service does not have the content-types of the demo: api::/,
      )
      const after = await app.request('GET', '/api/i18n/locales', { token: app.token })
      expect(after.body).to.deep.equal(before.body)
    } finally {
      await app.stop()
    }
  })
})

describe('seedDemo', () => {
  let app: TestApp
  let first: SeedReport
  const seed = () => seedDemo({ base: app.url, admin })

  before(async function () {
    this.timeout(120_000)
    app = await startApp({ schemaDir })
    first = await seed()
  })
  after(() => app.stop())

  const read = async <T>(path: string, token?: string): Promise<T> => {
    const answer = await app.request('GET', path, token === undefined ? {} : { token })
    expect(answer.status, answer.text).to.equal(200)
    return answer.body as T
  }
  const total = async (path: string) => (await read<List>(path, app.token)).meta.pagination.total

  it('loads the articles, translations, drafts and authors', async () => {
    expect(first).to.include({ locales: 2, articles: articles.length, authors: 8 })
    expect(await total('/api/articles')).to.equal(published.length)
    expect(await total('/api/articles?status=draft')).to.equal(articles.length)
    expect(await total('/api/articles?locale=fr')).to.equal(6)
    expect(await total('/api/articles?locale=de')).to.equal(6)
  })

  it('creates nothing the second time', async () => {
    const second = await seed()
    expect(
      Object.values(second).every((count) => count === 0),
      JSON.stringify(second),
    ).to.equal(true)
    expect(await total('/api/articles?status=draft&locale=*')).to.equal(articles.length + 13)
    expect(await total('/api/authors')).to.equal(8)
  })

  it('completes an interrupted seed', async () => {
    const [tag] = (await read<List>('/api/tags?filters[slug]=walking', app.token)).data
    await app.request('DELETE', `/api/tags/${String(tag?.['documentId'])}`, { token: app.token })
    expect((await seed())['tags']).to.equal(1)
  })

  it('leaves no API token behind', async () => {
    const { body } = await app.request('GET', '/admin/api-tokens', { token: app.adminJwt })
    expect((body as { data: readonly Entry[] }).data).to.have.length(1)
  })

  it('allows reads without a token, except of drafts', async () => {
    const types = [
      'articles',
      'authors',
      'categories',
      'tags',
      'pages',
      'homepage',
      'site-settings',
    ]
    for (const type of types) await read(`/api/${type}`)
    expect((await app.request('GET', '/api/articles?status=draft')).status).to.equal(403)
  })

  it('creates unpublished changes', async () => {
    const slug = 'counting-steps-in-lisbon'
    const path = `/api/articles?filters[slug]=${slug}&fields=title`
    const titles = async (status: string) =>
      (await read<List>(`${path}&status=${status}`, app.token)).data.map(({ title }) => title)
    expect(await titles('published')).to.deep.equal(['Counting Steps in Lisbon'])
    expect(await titles('draft')).to.deep.equal(['Counting Every Step in Lisbon'])
  })

  it('creates pictures with alternative texts and smaller formats', async () => {
    const files = await read<readonly Picture[]>('/api/upload/files', app.token)
    expect(files.length).to.be.greaterThan(articles.length)
    for (const { name, alternativeText, width, formats } of files) {
      expect(alternativeText, name).to.match(/\w/)
      expect(formats, name).to.have.nested.property('thumbnail.width').that.is.below(246)
      // Pictures of authors are too small for these formats.
      if (width > 400) expect(formats, name).to.include.keys('small', 'medium', 'large')
    }
    const { data } = await read<List>('/api/articles?populate=cover&pagination[pageSize]=100')
    for (const { cover } of data) {
      const { alternativeText, formats } = cover as Picture
      expect(alternativeText).to.match(/\w/)
      const served = await fetch(`${app.url}${formats?.['thumbnail']?.url}`)
      expect(served.headers.get('content-type')).to.equal('image/jpeg')
    }
  })

  it('creates relations, components and media of an article', async () => {
    const { data } = await read<List>(
      '/api/articles?filters[slug]=the-dark-valley&populate=cover,gallery,author.avatar,' +
        'category.parent,tags,seo.image,sections,related.author',
    )
    const [article] = data as readonly [Entry]
    expect(article).to.have.nested.property('cover.mime', 'image/jpeg')
    expect(article).to.have.nested.property('author.avatar.name', 'ines-baumann.jpg')
    expect(article).to.have.nested.property('category.parent.slug', 'nature')
    expect(article).to.have.nested.property('seo.image.name', 'the-dark-valley.jpg')
    expect(article).to.have.nested.property('related[1].author.slug', 'hugh-penrose')
    expect(article['gallery']).to.have.length(2)
    expect(article['tags']).to.have.length(3)
    expect(article['sections']).to.have.length(3)
  })
})
