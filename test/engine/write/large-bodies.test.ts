import { expect } from 'chai'
import { createDocument } from '../../../engine/write.js'
import type { Writing } from './start-writing.js'
import { draft, published, refusal, startWriting } from './start-writing.js'

describe('body with very many components', () => {
  let writing: Writing
  before(async () => {
    writing = await startWriting()
  })
  after(() => writing.stop())

  const refused = (type: string, data: unknown, scope = published) =>
    refusal(createDocument(writing.context, writing.type(type), scope, data))
  const tooMany = (name: string) => ({
    status: 400,
    name: 'ValidationError',
    message: `The body holds more than 10000 components and rich text nodes, at ${name}`,
  })
  const times = (count: number, part: unknown) => Array.from({ length: count }, () => part)

  it('is rejected before its components are validated', async () => {
    for (const part of [{}, 1, null, []])
      expect(await refused('article', { sections: times(10_001, part) }, draft)).to.deep.equal(
        tooMany('sections'),
      )
    expect(await refused('article', { seo: { links: times(10_000, {}) } })).to.deep.equal(
      tooMany('links'),
    )
  })

  it('is rejected for the total of all its attributes', async () => {
    const links = times(5000, {})
    const data = { seo: { links }, sections: times(5001, { __component: 'shared.link' }) }
    expect(await refused('article', data)).to.deep.equal(tooMany('sections'))
  })

  it('is rejected for its rich text nodes, at any depth', async () => {
    const children = times(5000, { type: 'text', text: '' })
    const blocks = [{ type: 'paragraph', children }, { children }]
    expect(await refused('record', { blocks })).to.deep.equal(tooMany('blocks'))
  })

  it('gets all errors reported if it is below the limit', async () => {
    const { message, details } = await refused('article', { sections: times(1000, {}) })
    // 1001 values and the missing title, which is required for publishing.
    expect(message).to.equal('1002 errors occurred')
    expect((details as { errors: readonly unknown[] }).errors).to.have.length(1002)
  })
})
