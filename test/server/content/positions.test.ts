import { expect } from 'chai'
import { startApp } from '../../support/start-app.js'
import type { TestApp } from '../../support/test-app.js'

type Answer = Readonly<{
  data?: Readonly<{ documentId: string; tags: readonly Readonly<{ name: string }>[] }>
  error?: Readonly<{ message: string; details: unknown }>
}>

describe('position of a relation', () => {
  let app: TestApp
  let tags: readonly string[]
  before(async () => {
    app = await startApp()
    const names = ['a', 'b', 'c']
    tags = await Promise.all(names.map(async (name) => (await post('tags', { name })).documentId))
  })
  after(() => app.stop())

  const send = (path: string, data: object) =>
    app.request('POST', `/api/${path}`, { token: app.token, body: { data } })
  const post = async (path: string, data: object) => {
    const { data: made } = (await send(path, data)).body as Answer
    return made ?? { documentId: '', tags: [] }
  }
  const connect = async (position: unknown, options?: object) => {
    const [a, b, c] = tags
    const made = await post('articles', { title: 'x', tags: [a, b] })
    const answer = await app.request('PUT', `/api/articles/${made.documentId}?populate=tags`, {
      token: app.token,
      body: { data: { tags: { connect: [{ documentId: c, position }], options } } },
    })
    const { data, error } = answer.body as Answer
    return error ?? data?.tags.map(({ name }) => name).join('')
  }

  const message = 'The position of tags must be an object with one of before, after, start and end'
  const refused = { status: 400, name: 'ValidationError', message }

  it('is one of before, after, start and end, or ignored if strict is false', async () => {
    expect(await connect({ start: true })).to.equal('cab')
    expect(await connect({ end: true, start: false })).to.equal('abc')
    expect(await connect({ before: tags[1], after: null })).to.equal('acb')
    expect(await connect(null)).to.equal('abc')
    expect(await connect('end')).to.equal('abc')
    const wrong = [
      ...['before', true, [], { before: tags[0], after: tags[1] }],
      ...[{ before: tags[1], start: true }, { start: true, end: true }, { start: 1 }],
    ]
    for (const position of wrong) {
      const details = { path: 'tags', source: 'body' }
      for (const options of [undefined, { strict: true }])
        expect(await connect(position, options)).to.deep.equal({ ...refused, details })
      expect(await connect(position, { strict: false })).to.equal('abc')
    }
  })

  it('cannot be set twice for one target, unless strict is false', async () => {
    const [a, b, c] = tags
    const { documentId } = await post('articles', { title: 'x', tags: [a, b] })
    const put = async (connect: readonly unknown[], options?: object) => {
      const path = `/api/articles/${documentId}?populate=tags`
      const body = { data: { tags: { connect, options } } }
      const { data, error } = (await app.request('PUT', path, { token: app.token, body }))
        .body as Answer
      return error ?? data?.tags.map(({ name }) => name).join('')
    }
    const first = { documentId: c, position: { start: true } }
    const twice = [first, { documentId: c, position: { before: b } }]
    const { message, ...refused } = (await put(twice)) as NonNullable<Answer['error']>
    expect(message.replace(/\d+/, '#')).to.equal(
      'The relation with id # is already connected. You cannot connect the same relation twice.',
    )
    expect(refused).to.deep.equal({
      ...{ status: 400, name: 'ValidationError', details: { path: 'tags', source: 'body' } },
    })
    expect(await put(twice, { strict: false })).to.equal('acb')
    // Items that are equal in every member count once, as in Strapi.
    expect(await put([first, first])).to.equal('cab')
    expect(await put([a, a])).to.equal('cba')
  })

  it('may have unknown keys, as in Strapi, unless strict is true', async () => {
    const position = { sideways: true }
    expect(await connect(position)).to.equal('abc')
    expect(await connect(position, { strict: false })).to.equal('abc')
    expect(await connect({ befor: tags[1] }, { strict: true })).to.deep.equal({
      ...{ status: 400, name: 'ValidationError', message: 'Invalid key befor at tags' },
      details: { key: 'befor', path: 'tags', source: 'body', suggestion: 'before' },
    })
  })
})
