import { strapi } from '@strapi/client'
import { expect } from 'chai'
import { startApp } from '../../support/start-app.js'
import type { TestApp } from '../../support/test-app.js'

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

describe('@strapi/client from npm', () => {
  let app: TestApp
  let client: ReturnType<typeof strapi>
  before(async () => {
    app = await startApp()
    client = strapi({ baseURL: `${app.url}/api`, auth: app.token })
  })
  after(() => app.stop())

  it('creates, finds, lists, updates and deletes entries of a collection', async () => {
    const authors = client.collection('authors')
    const ana = (await authors.create({ name: 'Ana' })).data
    await authors.create({ name: 'Bob' })
    expect(ana).to.include({ name: 'Ana' })

    const found = await authors.findOne(ana.documentId, {
      fields: ['name'],
      populate: ['articles'],
    })
    expect(found.data).to.deep.equal({
      ...{ id: ana['id'] as number, documentId: ana.documentId, name: 'Ana', articles: [] },
    })
    const query = { filters: { name: { $startsWith: 'B' } }, sort: 'name', pagination: { page: 1 } }
    const listed = await authors.find(query)
    expect(listed.data.map(({ name }) => name as string)).to.deep.equal(['Bob'])
    expect(listed.meta.pagination).to.include({ page: 1, total: 1 })

    const updated = await authors.update(ana.documentId, { name: 'Ana Maria' })
    expect(updated.data).to.include({ documentId: ana.documentId, name: 'Ana Maria' })
    await authors.delete(ana.documentId)
    expect((await authors.find()).data).to.have.lengthOf(1)
  })

  it('reads and writes a single type', async () => {
    const homepage = client.single('homepage')
    await homepage.update({ heading: 'Welcome' })
    expect((await homepage.find()).data).to.include({ heading: 'Welcome' })
    await homepage.delete()
  })

  it('uploads, finds, describes and removes files', async () => {
    const file = new Blob([png], { type: 'image/png' })
    const fileInfo = { name: 'pixel.png', alternativeText: 'One pixel' }
    const [uploaded] = (await client.files.upload(file, { fileInfo })) as { id: number }[]
    const id = uploaded?.id ?? 0
    expect(await client.files.findOne(id)).to.include({
      ...{ alternativeText: 'One pixel', mime: 'image/png', width: 1 },
    })
    await client.files.update(id, { caption: 'Small' })
    const [listed] = await client.files.find({ filters: { mime: { $contains: 'image' } } })
    expect(listed).to.include({ id, caption: 'Small' })
    await client.files.delete(id)
    expect(await client.files.find()).to.deep.equal([])
  })

  it('throws its own errors for missing, invalid and forbidden requests', async () => {
    const nameOf = (attempt: Promise<unknown>): Promise<string> =>
      attempt.then(
        () => 'none',
        (error: unknown) => (error as Error).name,
      )
    expect(await nameOf(client.collection('authors').findOne('none'))).to.equal('HTTPNotFoundError')
    expect(await nameOf(client.collection('authors').create({}))).to.equal('HTTPBadRequestError')
    const stranger = strapi({ baseURL: `${app.url}/api`, auth: 'no-token' })
    expect(await nameOf(stranger.collection('authors').find())).to.equal('HTTPAuthorizationError')
    const anybody = strapi({ baseURL: `${app.url}/api` })
    expect(await nameOf(anybody.collection('authors').find())).to.equal('HTTPForbiddenError')
  })
})
