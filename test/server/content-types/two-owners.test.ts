import { expect } from 'chai'
import { collectLines } from '../../support/log-lines.js'
import { startApp } from '../../support/start-app.js'
import type { TestApp } from '../../support/test-app.js'

const type = (name: string, plural: string, attributes: object) => ({
  kind: 'collectionType',
  info: { singularName: name, pluralName: plural, displayName: name },
  attributes: { name: { type: 'string' }, ...attributes },
})
const manyToMany = (target: string, inversedBy: string) => ({
  ...{ type: 'relation', relation: 'manyToMany', target: `api::${target}.${target}`, inversedBy },
})

type Named = Readonly<{ documentId: string; name: string }>
type Answer = Readonly<{ data: Named & Readonly<Record<string, unknown>> }>

describe('relation with inversedBy on both sides', () => {
  const { log, lines } = collectLines()
  let app: TestApp
  before(async () => {
    app = await startApp({
      log,
      schema: {
        'content-types/category.json': type('category', 'categories', {
          products: manyToMany('product', 'categories'),
        }),
        'content-types/product.json': type('product', 'products', {
          categories: manyToMany('category', 'products'),
        }),
      },
    })
  })
  after(() => app.stop())

  const write = async (method: 'POST' | 'PUT', path: string, data: object) => {
    const { status, body } = await app.request(method, `/api/${path}`, {
      token: app.token,
      body: { data },
    })
    expect(status, JSON.stringify(body)).to.be.oneOf([200, 201])
    return (body as Answer).data
  }
  const get = async (path: string) =>
    (await app.request('GET', `/api/${path}`, { token: app.token })).body as {
      data: Readonly<Record<string, unknown>>
    }
  const namesOf = (list: unknown) => (list as readonly Named[]).map(({ name }) => name)

  it('is reported once at the start, with both names', () => {
    const messages = lines.map((line) => (JSON.parse(line) as { msg?: string }).msg ?? '')
    const warnings = messages.filter((message) => message.includes('inversedBy'))
    expect(warnings).to.have.lengthOf(1)
    expect(warnings[0]).to.match(
      /category\.json: attributes\.products\.inversedBy: "categories" of api::product\.product also has inversedBy "products". It owns the relation, and Quire uses mappedBy "categories" for this side$/,
    )
  })

  it('shows on each side what either side connected, and is filtered from both', async () => {
    const cups = await write('POST', 'categories', { name: 'Cups' })
    const blue = await write('POST', 'products', { name: 'Blue', categories: [cups.documentId] })
    const red = await write('POST', 'products', { name: 'Red' })
    await write('PUT', `categories/${cups.documentId}`, {
      products: { connect: [red.documentId] },
    })
    const { data: category } = await get(`categories/${cups.documentId}?populate=products`)
    expect(namesOf(category['products'])).to.deep.equal(['Blue', 'Red'])
    for (const product of [blue, red]) {
      const { data } = await get(`products/${product.documentId}?populate=categories`)
      expect(namesOf(data['categories'])).to.deep.equal(['Cups'])
    }
    const byProduct = await get('categories?filters[products][name]=Red')
    expect(namesOf(byProduct.data)).to.deep.equal(['Cups'])
    const byCategory = await get('products?filters[categories][name]=Cups&sort=name')
    expect(namesOf(byCategory.data)).to.deep.equal(['Blue', 'Red'])
  })
})
