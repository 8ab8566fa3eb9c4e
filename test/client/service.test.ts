import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { runInThisContext } from 'node:vm'
import { expect } from 'chai'
import { createClient, QuireError, type Client } from '../../client/main.js'
import { drawPicture } from '../support/draw-picture.js'
import { startApp } from '../support/start-app.js'
import type { TestApp } from '../support/test-app.js'
import { compile, inProject } from './compile.js'
import type { Quire } from './quire.js'

describe('client with a running service', () => {
  let app: TestApp
  let client: Client<Quire>
  before(async () => {
    app = await startApp()
    client = createClient<Quire>({ baseUrl: `${app.url}/api/`, token: () => app.token })
  })
  after(() => app.stop())

  it('returns responses that match their types, for every kind of attribute', async () => {
    const articles = client.collection('articles')
    const [file] = await client.files.upload({
      ...{ content: new Blob([await drawPicture('a', 4, 4)]), fileName: 'a.png' },
      info: { alternativeText: 'A picture' },
    })
    const cover = file?.id ?? 0
    const tag = (await client.collection('tags').create({ name: 'wet' })).data
    const author = (await client.collection('authors').create({ name: 'Ana', avatar: cover })).data
    const { data } = await articles.create({
      ...{ title: 'Rain', slug: 'rain', kind: 'news', rating: 1.5, score: 2, views: 3 },
      ...{ bigViews: '9007199254740993', meta: { a: [1] }, releaseDate: '2024-05-01' },
      ...{ releaseTime: '10:00:00', releaseAt: new Date(0), contact: 'a@example.org' },
      blocks: [{ type: 'paragraph', children: [{ type: 'text', text: 'wet', bold: true }] }],
      ...{ cover, gallery: [cover], author: author.documentId, tags: [tag.documentId] },
      seo: {
        metaTitle: 'Rain',
        social: [{ network: 'x', profile: author.documentId }],
        image: cover,
      },
      sections: [
        { __component: 'section.hero', heading: 'Wet', cta: { label: 'More' }, picture: cover },
        { __component: 'section.quote', text: 'So', by: author.documentId },
      ],
    })
    await articles.create({ summary: 'No title' }, { status: 'draft' })
    await articles.update(data.documentId, { title: 'Regen' }, { locale: 'en' })
    await articles.update(data.documentId, { related: [data.documentId], slug: 'later' })
    await client.single('homepage').update({ heading: 'Hi', hero: { cta: { label: 'Go' } } })
    await client.single('setting').update({ siteName: 'Site' })

    const queries = [
      `client.collection('articles').find()`,
      `client.collection('articles').find({ populate: '*', pagination: { start: 0, limit: 5 } })`,
      `client.collection('articles').find({ status: 'draft', populate: '*' })`,
      `client.collection('articles').find({ locale: '*', pagination: { withCount: false } })`,
      `client.collection('articles').find({ locale: 'en', fields: ['title', 'meta'] })`,
      `client.collection('articles').find({ sort: ['title:desc', 'author.name'], filters: { author: { name: 'Ana' }, tags: { name: { $in: ['wet', null] } } } })`,
      `client.collection('articles').find({ populate: ['author.avatar', 'seo.social.profile', 'sections.cta', 'sections.picture', 'related.tags'] })`,
      `client.collection('articles').find({ populate: { tags: { sort: 'name', fields: 'name' }, related: { filters: { title: { $ne: 'x' } }, populate: { tags: { count: true } } }, gallery: { sort: 'name', fields: ['url', 'formats'] }, localizations: { sort: 'locale' } } })`,
      `client.collection('articles').find({ populate: { sections: { on: { 'section.quote': { fields: ['text'], populate: { by: { fields: 'name' } } } } }, seo: { populate: { image: true, social: { filters: { network: 'x' } } } } } })`,
      `client.collection('articles').find({ populate: { sections: { count: true }, tags: true, cover: false } })`,
      `client.collection('articles').find({ pLevel: 3 })`,
      `client.collection('articles').find({ populate: 'deep,4', status: 'draft' })`,
      `client.collection('authors').find({ status: 'draft', populate: { articles: true, favorite: true } })`,
      `client.collection('authors').find({ populate: { articles: { populate: '*', sort: 'title' } } })`,
      `client.collection('categories').find({ populate: '*' })`,
      `client.collection('articles').aggregate()`,
      `client.collection('articles').aggregate({ groupBy: ['kind', 'featured', 'publishedAt:month', 'releaseDate:week', 'releaseAt:hour', 'author.name', 'tags.id', 'seo.metaTitle'], count: '*', sum: ['views', 'bigViews', 'rating', 'score'], avg: ['views', 'bigViews', 'rating'], min: ['title', 'kind', 'bigViews', 'releaseAt'], max: ['id', 'seo.metaTitle', 'rating', 'releaseTime'] })`,
      `client.collection('articles').aggregate({ groupBy: ['title', 'publishedAt:day', 'author.createdAt:year'], status: 'draft', sort: ['title:desc', 'author.createdAt'], pagination: { start: 0, limit: 5 } })`,
      `client.collection('articles').aggregate({ filters: { title: 'nothing' }, sum: ['views', 'bigViews', 'rating'], avg: ['views', 'bigViews'], max: ['title', 'bigViews'] })`,
      `client.collection('articles').aggregate({ groupBy: 'locale', locale: '*', sum: 'views', sort: ['sum.views:desc'], filters: { author: { name: { $startsWith: 'A' } } }, pagination: { withCount: false } })`,
      `client.collection('authors').aggregate({ groupBy: ['articles.category.name', 'avatar.mime'], _q: 'a' })`,
      `client.collection('articles').bulk([{ op: 'create', data: { title: 'Hail', slug: 'hail' } }, { op: 'create', data: { slug: 'dew' }, status: 'draft' }, { op: 'create', data: { title: 'Less', contact: 'nobody' } }, { op: 'update', documentId: 'none', data: { views: 1 } }, { op: 'delete', documentId: 'none' }, { op: 'publish', documentId: 'none' }], { populate: ['author', 'tags'] })`,
      `client.collection('tags').bulk([{ op: 'create', data: { name: 'cold' } }], { fields: 'name', idempotencyKey: 'cold' })`,
      `client.single('homepage').find({ populate: ['hero.cta', 'featured'] })`,
      `client.single('setting').find()`,
      `client.files.find({ populate: { related: { on: { 'api::author.author': { fields: ['name'] } } } } })`,
      `client.files.find({ populate: ['related'] })`,
    ]
    const complaints = compileAnswers(
      await Promise.all(queries.map(async (text) => runQuery(client, text))),
    )
    expect(complaints).to.deep.equal([])
  })

  /** Checks with the compiler that each response, as a literal, has the inferred type. */
  function compileAnswers(answered: readonly Readonly<{ text: string; answer: unknown }>[]) {
    const cases = answered.map(
      ({ text, answer }, place) =>
        `const ask${place} = () => ${text}\n` +
        `export const answer${place}: Awaited<ReturnType<typeof ask${place}>> = ${JSON.stringify(answer)}\n`,
    )
    const text = [
      `import { createClient } from '../../client/main.js'`,
      `import type { Quire } from './quire.js'`,
      `const client = createClient<Quire>({ baseUrl: 'https://site.example/api' })`,
      ...cases,
    ].join('\n')
    const file = inProject('test/client/answers.ts')
    return compile([file], { [file]: text }).complaints
  }

  it('sends bulk operations, each with its own result, and only once per Idempotency-Key', async () => {
    const articles = client.collection('articles')
    const { data: article } = await articles.create({ title: 'Sleet' })
    const { documentId } = article
    const write = () =>
      articles.bulk(
        [
          { op: 'create', data: { title: 'Mist' } },
          { op: 'update', documentId, data: { views: 7 } },
          { op: 'update', documentId, data: { views: 8 }, ifMatch: '"another"' },
          { op: 'unpublish', documentId },
          { op: 'publish', documentId },
          { op: 'delete', documentId, locale: '*' },
        ],
        { fields: ['title', 'views'], idempotencyKey: 'six' },
      )
    const { data } = await write()
    expect(data.map(({ status }) => status)).to.deep.equal([201, 200, 412, 200, 200, 204])
    const [created, updated, refused] = data
    expect(created.data).to.include({ title: 'Mist' })
    expect(updated.data).to.include({ title: 'Sleet', views: 7 })
    expect(refused.error?.name).to.equal('PreconditionFailedError')
    const again = await write()
    expect(again.data[0].data?.documentId).to.equal(created.data?.documentId)
    expect((await articles.find({ filters: { title: 'Mist' } })).meta.pagination.total).to.equal(1)
    await articles.delete(created.data?.documentId ?? '')
  })

  it('publishes, unpublishes and discards drafts of collections and single types', async () => {
    const articles = client.collection('articles')
    const { data } = await articles.create({ title: 'A' }, { status: 'draft' })
    const { documentId } = data
    expect((await articles.publish(documentId)).data.publishedAt).to.be.a('string')
    await articles.update(documentId, { title: 'B' }, { status: 'draft' })
    expect((await articles.discardDraft(documentId, { fields: 'title' })).data.title).to.equal('A')
    expect((await articles.unpublish(documentId)).data.publishedAt).to.equal(null)
    expect((await articles.find({ filters: { documentId } })).data).to.deep.equal([])
    await articles.delete(documentId)
    const homepage = client.single('homepage')
    await homepage.update({ heading: 'Hi' }, { status: 'draft' })
    expect((await homepage.publish()).data.heading).to.equal('Hi')
    await homepage.delete({ locale: '*' })
  })

  it('registers, logs in and sends requests as that user', async () => {
    await app.allow('public', [
      'plugin::users-permissions.auth.register',
      'plugin::users-permissions.auth.callback',
    ])
    await app.allow('authenticated', ['plugin::users-permissions.user.me'])
    const anybody = client.withToken(undefined)
    const password = 'a long password'
    await anybody.auth.register({ username: 'maria', email: 'maria@example.org', password })
    const { jwt, user } = await anybody.auth.login({ identifier: 'maria', password })
    expect(user.email).to.equal('maria@example.org')
    expect(await client.withToken(jwt).auth.me()).to.include({ username: 'maria' })
  })

  it('uploads, updates, replaces and deletes files', async () => {
    const content = (text: string) => new Blob([text], { type: 'text/plain' })
    const [first, second] = await client.files.upload([
      { content: content('a'), fileName: 'a.txt' },
      { content: content('b'), fileName: 'b.txt', info: { caption: 'B' } },
    ])
    expect([first?.caption, second?.caption]).to.deep.equal([null, 'B'])
    const id = first?.id ?? 0
    expect(await client.files.update(id, { caption: 'A' })).to.include({ caption: 'A' })
    const replaced = await client.files.replace(id, { content: content('aa'), fileName: 'c.txt' })
    expect(replaced.url).not.to.equal(first?.url)
    await client.files.delete(id)
    expect(await refusalOf(client.files.findOne(id))).to.include({ status: 404 })
  })

  it('rejects with the status, name and details of the error response', async () => {
    const articles = client.collection('articles')
    const invalid = await refusalOf(articles.create({ title: 'x'.repeat(300) }))
    expect(invalid).to.be.instanceOf(QuireError)
    expect(invalid).to.include({ status: 400, name: 'ValidationError' })
    expect(invalid.message).to.equal('title must be at most 255 characters')
    expect(invalid.details).to.have.nested.property('errors[0].path[0]', 'title')
    const missing = await refusalOf(articles.findOne('none'))
    expect(missing).to.include({ status: 404, name: 'NotFoundError', message: 'Not Found' })
    const forbidden = await refusalOf(client.withToken(undefined).collection('articles').find())
    expect(forbidden.status).to.be.oneOf([401, 403])
  })
})

describe('client with a busy or unreachable service', () => {
  let server: Server
  let answers: (readonly [status: number, headers: Record<string, string>, body: string])[]
  let seen: string[]
  let client: Client<Quire>
  before((done) => {
    server = createServer((request, response) => {
      seen.push(`${request.method} ${request.url}`)
      const [status, headers, body] = answers.shift() ?? [0, {}, '']
      if (status > 0) response.writeHead(status, headers).end(body)
      else if (headers['break'] !== undefined) request.socket.destroy()
    })
    server.listen(0, '127.0.0.1', done)
  })
  beforeEach(() => {
    seen = []
    const { port } = server.address() as AddressInfo
    client = createClient<Quire>({ baseUrl: `http://127.0.0.1:${port}/api` })
  })
  after(() => {
    server.closeAllConnections()
    server.close()
  })

  const busy = [503, { 'Retry-After': '0' }, ''] as const
  const broken = [0, { break: 'yes' }, ''] as const
  const none = [200, {}, '{"data":[],"meta":{}}'] as const

  it('retries a read after Retry-After or a broken connection', async () => {
    answers = [busy, broken, none]
    expect((await client.collection('tags').find()).data).to.deep.equal([])
    expect(seen).to.deep.equal(Array(3).fill('GET /api/tags'))
  })

  it('gives up after three attempts, or after one if there is no Retry-After', async () => {
    answers = [busy, busy, busy, none]
    expect(await refusalOf(client.collection('tags').find())).to.include({ status: 503 })
    expect(seen).to.have.lengthOf(3)
    answers = [[503, {}, ''], none]
    expect(await refusalOf(client.collection('tags').find())).to.include({ name: 'HttpError' })
    expect(seen).to.have.lengthOf(4)
  })

  it('sends a write once, unless it has an Idempotency-Key', async () => {
    const tags = client.collection('tags')
    answers = [busy, none]
    expect(await refusalOf(tags.create({ name: 'a' }))).to.include({ status: 503 })
    answers = [broken, none]
    expect(await refusalOf(tags.update('a', { name: 'a' }))).to.be.instanceOf(TypeError)
    answers = [busy, none]
    await tags.create({ name: 'a' }, {}, { headers: { 'Idempotency-Key': 'once' } })
    expect(seen).to.deep.equal([
      ...['POST /api/tags', 'PUT /api/tags/a', 'POST /api/tags', 'POST /api/tags'],
    ])
  })

  it('retries without a limit while a write with its Idempotency-Key is in flight', async () => {
    const tags = client.collection('tags')
    const inFlight = [409, { 'Retry-After': '0' }, ''] as const
    answers = [broken, inFlight, inFlight, inFlight, [200, {}, '{"data":[],"meta":{}}']]
    await tags.bulk([], { fields: 'name', idempotencyKey: 'once' })
    expect(seen).to.deep.equal(Array(5).fill('POST /api/tags/bulk?fields=name'))
    answers = [inFlight, none]
    expect(await refusalOf(tags.bulk([]))).to.include({ status: 409 })
    const conflict = [409, {}, ''] as const
    answers = [conflict, none]
    const refused = await refusalOf(tags.bulk([], { idempotencyKey: 'once' }))
    expect(refused).to.include({ status: 409 })
    expect(seen).to.have.lengthOf(7)
  })

  it('rejects with the reason of an abort signal, and after a timeout', async () => {
    answers = []
    const controller = new AbortController()
    const aborted = refusalOf(client.collection('tags').find({}, { signal: controller.signal }))
    controller.abort(new Error('left'))
    expect(await aborted).to.include({ message: 'left' })
    const late = await refusalOf(client.collection('tags').find({}, { timeoutMs: 20 }))
    expect(late).to.include({ name: 'TimeoutError' })
  })
})

/** Runs the text of a query. `compileAnswers` compiles the same text. */
async function runQuery(client: Client<Quire>, text: string) {
  const run = runInThisContext(`(client) => ${text}`) as (client: unknown) => Promise<unknown>
  return { text, answer: await run(client) }
}

async function refusalOf(response: Promise<unknown>): Promise<QuireError> {
  try {
    await response
  } catch (error) {
    return error as QuireError
  }
  throw new Error('The request was not rejected')
}
